import { RagstoneError } from "../errors.ts";
import type { SourceLabels } from "../source-types.ts";

const LABELS_MAX = 50;
const AUDIENCE_CHARACTERS_MAX = 100;
const CHARACTERS_MAX = 200;

/** Checks the labels of the options by the server's limits, before a file is read or sent. @throws {RagstoneError} */
export function checkLabels({ audience, contentCategory, path }: SourceLabels): void {
  checkList("--audience", audience ?? [], { unit: "audience", characters: AUDIENCE_CHARACTERS_MAX });
  checkList("--path", path ?? [], { unit: "segment", characters: CHARACTERS_MAX });
  if (lengthOf(contentCategory ?? "") > CHARACTERS_MAX) throw tooMuch("--category", `${CHARACTERS_MAX} characters`);
}

function checkList(option: string, list: string[], { unit, characters }: { unit: string; characters: number }): void {
  if (list.length > LABELS_MAX) throw tooMuch(option, `${LABELS_MAX} ${unit}s`);
  if (list.some((label) => lengthOf(label) > characters)) throw tooMuch(option, `${characters} characters per ${unit}`);
}

/** The server counts an emoji as one character. */
function lengthOf(text: string): number {
  return [...text].length;
}

function tooMuch(option: string, limit: string): RagstoneError {
  return new RagstoneError(`${option} takes at most ${limit}. Nothing was ingested.`);
}
