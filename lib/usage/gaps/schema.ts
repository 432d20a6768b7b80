import { z } from "zod";
import { textInput } from "../../text-input.ts";

/** Days for which a gap can be hidden. */
const SNOOZE_DAYS = [1, 7, 30] as const;

/** What members do with a gap. */
export const gapChange = z.discriminatedUnion("do", [
  z.object({ do: z.literal("assign"), id: z.uuid(), userId: z.uuid().nullable() }),
  z.object({ do: z.literal("snooze"), id: z.uuid(), days: z.literal(SNOOZE_DAYS) }),
  z.object({
    do: z.literal("dismiss"),
    id: z.uuid(),
    reason: textInput().trim().min(1, "must not be empty").max(500, "must have at most 500 characters"),
  }),
  z.object({ do: z.literal("reopen"), id: z.uuid() }),
]);
