import { isDeepStrictEqual } from "node:util";
import { LABEL_WORDS, type SourceLabels, valueWords } from "../../label-changes.ts";

export type SharedLabels = Pick<SourceLabels, "audience" | "contentCategory" | "path">;

/** The labels of a question that is about to be saved. A missing category or path may be any. */
interface QuestionLabels {
  audience: string[];
  contentCategory?: string | undefined;
  path?: string[] | undefined;
}

/**
 * The labels of another source under which a question must not be answered: an audience that the question does not have,
 * or another category or path than was given. Pure.
 */
export function differingLabels(given: QuestionLabels, other: SharedLabels): (keyof SharedLabels)[] {
  const { audience, contentCategory = other.contentCategory, path = other.path } = given;
  const differs = {
    audience: !other.audience.every((each) => audience.includes(each)),
    contentCategory: contentCategory !== other.contentCategory,
    path: !isDeepStrictEqual(path, other.path),
  };
  return (["audience", "contentCategory", "path"] as const).filter((label) => differs[label]);
}

/** "audience “ai_agent, copilot” and category “faq”" */
export function labelWords(labels: (keyof SharedLabels)[], of: SharedLabels): string {
  const list = new Intl.ListFormat("en", { type: "conjunction" });
  return list.format(labels.map((label) => `${LABEL_WORDS[label].toLowerCase()} “${valueWords(label, of[label])}”`));
}
