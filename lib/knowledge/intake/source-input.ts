import { z } from "zod";
import { countText } from "../../counted.ts";
import { refuseMany } from "../../refuse-many.ts";
import { cleanText } from "../../text.ts";
import { SOURCE_ID_MAX } from "../values.ts";

const CONTENT_CHARACTERS_MAX = 10 * 1024 * 1024;
const METADATA_CHARACTERS_MAX = 16 * 1024;
/** `"a":1,` is the shortest entry, so an object with more entries is too large. */
const METADATA_ENTRIES_MAX = Math.floor(METADATA_CHARACTERS_MAX / 6);
const METADATA_TOO_LARGE = "must be at most 16 kB as JSON";
const METADATA_DEPTH_MAX = 3;

/** A cleaned, trimmed string whose error names the limit. `null` is refused; see `optional`. */
function text(max: number) {
  return z
    .string("must be a string")
    .transform((value) => cleanText(value).trim())
    .pipe(
      z
        .string()
        .min(1, "must not be empty")
        .max(max, `must have at most ${countText(max)} characters`),
    )
    .meta({ override: { minLength: 1, maxLength: max, pattern: "\\S" } });
}

function list<Item extends z.ZodType<string>>(item: Item, max: number, what: string) {
  return z.array(item, `must be a list of ${what}`).max(max, `must have at most ${max} ${what}`);
}

/** Treats `null` as absent, as everywhere in the API. */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const metadata = z.preprocess(
  refuseMany<Record<string, unknown>>(METADATA_ENTRIES_MAX, METADATA_TOO_LARGE),
  z
    .record(z.string(), z.unknown(), "must be an object")
    .refine((value) => isShallow(value, METADATA_DEPTH_MAX), {
      error: `must not nest deeper than ${METADATA_DEPTH_MAX} levels`,
      abort: true,
    })
    .refine((value) => JSON.stringify(value).length <= METADATA_CHARACTERS_MAX, METADATA_TOO_LARGE)
    .transform(cleanRecord),
);

/** The caller's own identifier of a source. */
export const identifier = text(SOURCE_ID_MAX);

const labels = {
  sourceId: optional(identifier),
  audience: optional(list(text(100), 50, "audiences")),
  contentCategory: optional(text(200)),
  path: optional(list(text(200), 50, "path segments")),
  metadata: optional(metadata),
};

/** A document as text, which may contain Markdown. */
export const documentInput = z.object({
  sourceType: z.literal("document"),
  title: text(1_000),
  content: text(CONTENT_CHARACTERS_MAX),
  ...labels,
});

/** A question and its answer, with alternative phrasings of the question. */
export const questionInput = z.object({
  sourceType: z.literal("qa"),
  question: text(8_000),
  answer: text(100_000),
  alternatives: optional(list(text(8_000), 50, "alternatives")),
  ...labels,
});

const unionOptions: Parameters<typeof z.discriminatedUnion>[2] = {
  error: (issue) => (issue.code === "invalid_union" ? 'must be "document" or "qa"' : "must be an object"),
};

/** A source from a bulk file or a form. */
export const sourceInput = z.discriminatedUnion("sourceType", [documentInput, questionInput], unionOptions);

/** A source with the identifier by which the caller puts it again. */
export const identifiedSource = z.discriminatedUnion(
  "sourceType",
  [documentInput.extend({ sourceId: identifier }), questionInput.extend({ sourceId: identifier })],
  unionOptions,
);

export type SourceInput = z.output<typeof sourceInput>;

function cleanRecord(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [cleanText(key), cleanValue(value)]));
}

function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === "object" && value !== null ? cleanRecord({ ...value }) : value;
}

/** Stops at the allowed depth, so that hostile nesting costs nothing. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}
