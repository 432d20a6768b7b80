import { comparableText } from "../intake/edit-content.ts";
import { diffTexts } from "../text-diff.ts";
import type { Suggestion } from "./list.ts";
import { asVersion } from "./suggest.ts";

type Compared = Pick<Suggestion, "sourceId" | "content" | "decision"> & {
  current: Pick<NonNullable<Suggestion["current"]>, "title" | "body"> | null;
};

/** The suggestions of a page, each with its changes to the current text. */
export function compareSuggestions<Each extends Compared>(suggestions: readonly Each[]) {
  const compared = suggestions.filter((suggestion) => textBefore(suggestion) !== null).length;
  return suggestions.map((suggestion) => ({ suggestion, parts: partsOf(suggestion, compared) }));
}

function partsOf(suggestion: Compared, compared: number) {
  const { sourceId, content } = suggestion;
  const text = comparableText(asVersion(content)) ?? "";
  // the question of a new Q&A is in the heading
  if (sourceId === null && content.kind === "qa") return [asIs(text.slice(content.question.length).trimStart())];
  const before = textBefore(suggestion);
  return before === null ? [asIs(text)] : diffTexts(before, text, compared);
}

/** The current text, only while the suggestion is open, because later changes are not its own. */
function textBefore({ current, decision }: Compared): string | null {
  return current?.body && !decision ? comparableText({ ...current, body: current.body }) : null;
}

function asIs(text: string) {
  return { at: 0, kind: "same" as const, text };
}
