import type { GivenLabels } from "../../label-changes.ts";

/** The labels that a caller may set. A missing or null label keeps its value. */
export type Labels = { [Label in keyof GivenLabels]?: GivenLabels[Label] | undefined };

/** Labels from a caller, with null for those that are missing. */
export function givenLabels({ audience, contentCategory, path, metadata }: Labels): GivenLabels {
  return {
    audience: audience ?? null,
    contentCategory: contentCategory ?? null,
    path: path ?? null,
    metadata: metadata ?? null,
  };
}
