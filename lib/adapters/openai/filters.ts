import { type Reading, whereSchema } from "../../retrieval/where-schema.ts";
import type { Op } from "../../search-index/condition.ts";

const OPS: readonly Op[] = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"];

/** The names of attributes that have other names here. */
const FIELDS = new Map([
  ["source_id", "sourceId"],
  ["source_type", "sourceType"],
  ["content_category", "contentCategory"],
  ["filename", "fileName"],
]);

/** OpenAI's comparison and compound filters as a tree. */
export const openAiFilters = whereSchema((given: unknown): unknown => given, readNode);

function readNode(given: unknown): Reading<unknown> {
  if (typeof given !== "object" || given === null) return { message: "must be an object" };
  const type = "type" in given ? given.type : undefined;
  if (type === "and" || type === "or") {
    const filters = "filters" in given ? given.filters : undefined;
    if (!Array.isArray(filters)) return { message: "must be an array", at: ["filters"] };
    return { group: type, members: filters.map((node, index) => ({ at: ["filters", index], node })) };
  }
  const op = OPS.find((known) => known === type);
  if (!op) return { message: `must be one of and, or, ${OPS.join(", ")}`, at: ["type"] };
  const key = "key" in given ? given.key : undefined;
  if (typeof key !== "string") return { message: "must be a string", at: ["key"] };
  return { field: FIELDS.get(key) ?? key, op, value: "value" in given ? given.value : undefined, at: ["value"] };
}
