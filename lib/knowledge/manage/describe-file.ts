import type { z } from "zod";
import { parseInput, validationError } from "../../errors.ts";
import { identifier } from "../intake/source-input.ts";
import { fileLabelsInput, type fileQuery } from "./schema.ts";

type Query = z.output<typeof fileQuery>;

/**
 * The identifier and labels of an uploaded file: from the query string, else from the part `labels` of its form. A form's
 * file name is its identifier if there is no other.
 * @throws {AppError} ValidationError
 */
export function describeFile(query: Query, form: { fileName: string | null; texts: Map<string, string> }) {
  const text = form.texts.get("labels");
  const labels = parseInput(fileLabelsInput, text ?? "{}");
  const sourceId = query.sourceId ?? labels.sourceId ?? (form.fileName || undefined);
  if (sourceId === undefined) throw validationError([{ path: "sourceId", message: "is required" }]);
  return {
    sourceId: parseInput(identifier, sourceId),
    audience: query.audience ?? labels.audience,
    contentCategory: query.contentCategory ?? labels.contentCategory,
    path: query.path ?? labels.path,
    metadata: query.metadata ?? labels.metadata,
  };
}
