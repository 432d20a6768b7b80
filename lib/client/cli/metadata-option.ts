import { RagstoneError } from "../errors.ts";
import type { MetadataFilter } from "../types.ts";

/**
 * The conditions of `--metadata`, which must all hold: `key=value`, or a JSON object as in `filters.metadata`. A value
 * that looks like a number or a boolean matches the text, too.
 * @throws {RagstoneError}
 */
export function metadataOf(given: string[] | undefined): MetadataFilter | undefined {
  const [first, ...others] = (given ?? []).map(readCondition);
  return others.length > 0 ? { and: [first ?? {}, ...others] } : first;
}

function readCondition(text: string): MetadataFilter {
  if (text.trimStart().startsWith("{")) return readObject(text);
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new RagstoneError(`--metadata must be key=value or a JSON object, not "${text}".`);
  }
  return {
    [key.trim()]: /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(value) ? [value, JSON.parse(value)] : value,
  };
}

function readObject(text: string): MetadataFilter {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RagstoneError(`--metadata is not valid JSON: ${text}`, { cause: error });
  }
}
