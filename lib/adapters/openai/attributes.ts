import { z } from "zod";
import { parseInput, validationError } from "../../errors.ts";
import type { ListedSource } from "../../knowledge/browse/read-listed.ts";
import { documentInput, identifier } from "../../knowledge/intake/source-input.ts";
import { refuseMany } from "../../refuse-many.ts";
import { permalinkOf } from "../../retrieval/permalink.ts";
import type { RetrieveResult } from "../../retrieval/schema.ts";

const MAX_ATTRIBUTES = 16;
const MAX_NAME_LENGTH = 64;
const MAX_ATTRIBUTE_LENGTH = 512;

export const attributes = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

type Attributes = z.output<typeof attributes>;

type Labels = Pick<
  RetrieveResult["payload"],
  "sourceId" | "title" | "sourceType" | "contentCategory" | "path" | "audience" | "metadata"
>;

/** A source before its labels change. */
type Relabelled = Labels & Pick<ListedSource, "givenMetadata" | "file">;

/** Labels first, then the caller's own scalar metadata by name. */
export function attributesOf(labels: Labels, more: Attributes = {}): Attributes {
  const { sourceId, title, sourceType, contentCategory, path, audience, metadata } = labels;
  const own: Attributes = {
    ...{ source_id: sourceId, title, source_type: sourceType, content_category: contentCategory },
    ...{ path: path.join("/"), audience: audience.join(", ") },
    ...more,
  };
  const others = Object.entries(metadata)
    .filter(([name, value]) => !Object.hasOwn(own, name) && ["string", "number", "boolean"].includes(typeof value))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const all = [...Object.entries(own), ...others].slice(0, MAX_ATTRIBUTES);
  return Object.fromEntries(
    all.map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean"
        ? value
        : String(value).slice(0, MAX_ATTRIBUTE_LENGTH).toWellFormed(),
    ]),
  );
}

/** Labels by the names that `attributes` have for them; all other attributes are metadata. */
const labels = z.object({
  attributes: z.object({
    source_id: identifier.optional(),
    content_category: documentInput.shape.contentCategory,
    path: documentInput.shape.path,
    audience: documentInput.shape.audience,
    metadata: documentInput.shape.metadata,
  }),
});

/** The `attributes` of a file as they are sent. */
export const attributesInput = z.preprocess(
  // each entry could become an issue
  refuseMany<Attributes>(MAX_ATTRIBUTES, `must have at most ${MAX_ATTRIBUTES} entries`),
  z.record(
    z.string().max(MAX_NAME_LENGTH, `must have names of at most ${MAX_NAME_LENGTH} characters`),
    z.union(
      [z.string().max(MAX_ATTRIBUTE_LENGTH), z.number(), z.boolean()],
      `must be a text of at most ${MAX_ATTRIBUTE_LENGTH} characters, a number, true or false`,
    ),
    "must be an object",
  ),
);

/** The labels that these attributes give; a label without an attribute is missing. @throws {AppError} ValidationError */
export function labelsOf({ source_id, content_category, path, audience, ...metadata }: Attributes) {
  const given = {
    source_id,
    content_category,
    path: splitText(path, "/"),
    audience: splitText(audience, ","),
    metadata,
  };
  const {
    source_id: sourceId,
    content_category: contentCategory,
    ...same
  } = parseInput(labels, { attributes: given }).attributes;
  return { ...same, sourceId, contentCategory };
}

/**
 * The labels that change when a source gets these attributes. An attribute that is sent back as a file or a search result
 * showed it changes nothing, and metadata that one of them cannot show or that is read from the content stays.
 * @param publicUrl without a trailing slash
 * @throws {AppError} ValidationError
 */
export function changedLabels(given: Attributes, before: Relabelled, publicUrl: string) {
  const shown = attributesOf(before);
  const found = resultFieldsOf(given, before, publicUrl);
  const isNew = ([name, value]: [string, unknown]) => shown[name] !== value && found[name] !== value;
  const news = Object.fromEntries(Object.entries(given).filter(isNew));
  const { sourceId, metadata, ...changed } = labelsOf(news);
  if (sourceId !== undefined) {
    throw validationError([{ path: "attributes.source_id", message: "cannot be changed" }]);
  }
  const own = attributesOf({ ...before, metadata: {} });
  // only a search result has the id of a chunk
  const fullest = Object.hasOwn(given, "chunk_id") ? fullestResultFields(before) : shown;
  const kept = Object.entries(before.givenMetadata).filter(
    ([name]) =>
      [shown, fullest].some((view) => !Object.hasOwn(view, name)) ||
      Object.hasOwn(own, name) ||
      (Object.hasOwn(given, name) && !Object.hasOwn(news, name)),
  );
  return { ...changed, metadata: { ...Object.fromEntries(kept), ...metadata } };
}

/** Attributes without what a search result adds to those of its source. */
export function withoutResultFields(given: Attributes): Attributes {
  if (!Object.hasOwn(given, "chunk_id")) return given;
  const { chunk_id, page, outdated, url, title, source_type, fileName, ...own } = given;
  return own;
}

/** What a search result shows of a source besides its labels and metadata, as far as these attributes tell. */
function resultFieldsOf({ chunk_id, page, url }: Attributes, before: Relabelled, publicUrl: string): Attributes {
  const chunkPages = permalinkOf({ id: "", payload: { metadata: {} } }, publicUrl);
  const isChunkPage = typeof url === "string" && url.startsWith(chunkPages);
  return attributesOf(
    { ...before, metadata: {} },
    {
      url: isChunkPage ? url : permalinkOf({ id: "", payload: before }, publicUrl),
      ...(before.file && { fileName: before.file.fileName }),
      // without a chunk, these are metadata
      ...(chunk_id !== undefined && { chunk_id, outdated: true }),
      ...(chunk_id !== undefined && typeof page === "number" && { page }),
    },
  );
}

/** The attributes of a search result that shows as much as possible besides the metadata. */
function fullestResultFields(before: Relabelled): Attributes {
  const fileName = before.file && { fileName: before.file.fileName };
  const metadata = { ...before.metadata, ...fileName, outdated: true };
  return attributesOf({ ...before, metadata }, { page: 0, url: "", chunk_id: "" });
}

function splitText(value: Attributes[string] | undefined, separator: string): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
