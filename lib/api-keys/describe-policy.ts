import { counted } from "../counted.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import { joinPath } from "../label-text.ts";

const TYPE_LABELS = { document: "documents", qa: "questions and answers" } as const;

/**
 * Describes every restriction of a policy in a sentence without full stop; empty when the key has access to everything.
 */
export function describePolicy(policy: KeyPolicy): string[] {
  const { audience, sourceTypes, path, contentCategory, limit, answers } = policy;
  if ([audience, sourceTypes, path, contentCategory].some((list) => list?.length === 0)) {
    return ["Finds nothing: one of its lists is empty"];
  }
  return [
    audience && `Only chunks for ${anyOf(audience)}`,
    sourceTypes && new Set(sourceTypes).size === 1 && `Only ${anyOf(sourceTypes.map((type) => TYPE_LABELS[type]))}`,
    path && `Only sources below ${joinPath(path)}`,
    contentCategory && `Only the ${contentCategory.length > 1 ? "categories" : "category"} ${anyOf(contentCategory)}`,
    limit !== undefined && `At most ${counted(limit, "result")} per request`,
    answers === false && "No AI answers, chunks only",
  ].filter((sentence) => typeof sentence === "string");
}

const list = new Intl.ListFormat("en", { type: "disjunction" });

function anyOf(words: string[]): string {
  return list.format([...new Set(words)]);
}
