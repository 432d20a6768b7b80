import type { z } from "zod";
import { parseInput, validationError } from "../../errors.ts";
import { identifier } from "../intake/source-input.ts";
import { fileLabelsInput, type fileQuery, unknownLabels } from "./schema.ts";

type Query = z.output<typeof fileQuery>;

interface Form {
  fileName: string | null;
  texts: Map<string, string>;
}

/**
 * The identifier and labels of an uploaded file: from the query string, else from the part `labels` of its form. A form's
 * file name is its identifier if there is no other.
 * @param ignore gets the names of unknown parts of the form, and of unknown fields of its labels
 * @throws {AppError} ValidationError
 */
export function describeFile(query: Query, { fileName, texts }: Form, ignore: (fields: string[]) => void) {
  ignore([...texts.keys()].filter((name) => name !== "labels"));
  const text = texts.get("labels") ?? "{}";
  const labels = parseInput(fileLabelsInput, text);
  ignore(unknownLabels(text).map((name) => `labels.${name}`));
  const sourceId = query.sourceId ?? labels.sourceId ?? (fileName || undefined);
  if (sourceId === undefined) throw validationError([{ path: "sourceId", message: "is required" }]);
  return {
    sourceId: parseInput(identifier, sourceId),
    audience: query.audience ?? labels.audience,
    contentCategory: query.contentCategory ?? labels.contentCategory,
    path: query.path ?? labels.path,
    metadata: query.metadata ?? labels.metadata,
  };
}
