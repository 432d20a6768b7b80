import { z } from "zod";
import { countText } from "../../counted.ts";
import { textInput } from "../../text-input.ts";
import { contentInput, replacedAnswer } from "../intake/edit-input.ts";

/** Longer texts are not compared with the current one. */
const TEXT_MAX = 200_000;
const NOTE_MAX = 2_000;
const note = textInput()
  .trim()
  .max(NOTE_MAX, `must have at most ${countText(NOTE_MAX)} characters`);

/** New content for a source, or for a new question. */
export const suggestionInput = z.object({
  /** Null for a new question. */
  sourceId: z.uuid().nullable(),
  content: contentInput.shape.content.superRefine((content, context) => {
    if (content.kind !== "text" || content.content.length <= TEXT_MAX) return;
    const message = `must have at most ${countText(TEXT_MAX)} characters. Ask an admin to change a longer text`;
    context.addIssue({ code: "custom", path: ["content"], message });
  }),
  note,
  /** The request that showed the problem. */
  requestId: z.uuid().nullable(),
});

export const acceptInput = z.object({
  id: z.uuid(),
  /** The version that the admin compared the suggestion with; null for a new question. */
  versionId: z.uuid().nullable(),
  /** Whether to add a question even though another source answers it. */
  keepBoth: z.boolean().optional(),
  /** The source whose answer a new question replaces. */
  mergeInto: replacedAnswer.optional(),
});

export const declineInput = z.object({ id: z.uuid(), reason: note.min(1, "must not be empty") });

export const withdrawInput = z.object({ id: z.uuid() });
