import { z } from "zod";
import { counted } from "../counted.ts";
import { describeChange, LABELS } from "../label-changes.ts";

const CHANGES_SHOWN = 5;

const labelChanges = z.array(
  z.object({ label: z.enum(LABELS), before: z.unknown(), after: z.unknown(), sources: z.array(z.string()) }),
);

/** Describes the changed labels of an event: "Audience: internal → ai_agent (3 sources)". */
export function labelChangeWords(labels: unknown): string[] {
  const changes = labelChanges.safeParse(labels).data ?? [];
  const words = changes
    .slice(0, CHANGES_SHOWN)
    .map(({ sources, ...change }) =>
      sources.length === 1 && changes.length > 1
        ? `${sources[0]}: ${describeChange(change)}`
        : `${describeChange(change)} (${counted(sources.length, "source")})`,
    );
  const more = changes.length - words.length;
  return more > 0 ? [...words, counted(more, "more change")] : words;
}
