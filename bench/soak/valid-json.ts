import { encodeCursor } from "../../lib/cursor.ts";
import type { ApiDocument } from "./api-document.ts";
import type { JsonSchema } from "./api-operation.ts";
import { FOREIGN_WORD } from "./canary.ts";
import type { KnownValues } from "./known-values.ts";
import type { Random } from "./random.ts";

/** What valid values are made from. */
export interface ValueSource {
  document: ApiDocument;
  known: KnownValues;
  random: Random;
}

const WORDS = [
  "open",
  "museum",
  "ticket",
  "refund",
  "when",
  "does",
  "the",
  "price",
  "R12-4",
  "naïve",
  "開館",
  "שעות",
  "🏛",
  FOREIGN_WORD,
] as const;

/** Values of fields whose rules a schema cannot express, by their names. */
const GIVEN = new Map<string, readonly [unknown, ...unknown[]]>([
  ["comparison_operator", ["is", "contains", "not empty"]],
  // only the exact number of sources is accepted
  ["confirm", [0, 1]],
  ["cursor", [encodeCursor([new Date(0).toISOString(), "00000000-0000-4000-8000-000000000000"])]],
  ["knowledge_id", ["all", "Support/Billing"]],
  ["labels", ["{}", '{"audience":["copilot"],"path":["Fuzz"]}', '{"metadata":{"region":"EU"}}']],
  ["prefix", ["note-1", "faq-", "nothing"]],
  ["Prefer", ["wait=0", "wait=1"]],
]);
const ATTRIBUTE_NAMES = ["region", "year", "team"] as const;

/** A value that the schema allows. @param name the name of its field or parameter */
export function validValue(source: ValueSource, given: JsonSchema, name = ""): unknown {
  const { document, random } = source;
  const schema = document.resolve(given);
  const values = GIVEN.get(name);
  if (values) return random.pick(values);
  const [first, ...more] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return validValue(source, random.pick([first, ...more]), name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[random.between(0, schema.enum.length - 1)];
  const [type = "null", ...types] = [schema.type ?? "null"].flat();
  switch (random.pick([type, ...types])) {
    case "string":
      return source.known.pick(name, random) ?? validText(schema, random);
    case "integer":
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, 1_000_000));
    case "number":
      return (schema.minimum ?? 0) + random.next() * ((schema.maximum ?? 1) - (schema.minimum ?? 0));
    case "boolean":
      return random.chance(0.5);
    case "array":
      return Array.from({ length: random.between(schema.minItems ?? 0, 3) }, () =>
        validValue(source, schema.items ?? {}, name),
      );
    case "object":
      return validObject(source, schema);
    default:
      return null;
  }
}

function validObject(
  source: ValueSource,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
): object {
  const { random } = source;
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.3));
  const own = chosen.map(([name, schema]) => [name, validValue(source, schema, name)]);
  if (typeof additionalProperties !== "object") return Object.fromEntries(own);
  const others = ATTRIBUTE_NAMES.filter(() => random.chance(0.3));
  return Object.fromEntries([...own, ...others.map((name) => [name, validValue(source, additionalProperties)])]);
}

function validText({ format, pattern = "", maxLength = 8_000 }: JsonSchema, random: Random): string {
  if (format === "uuid") return hex(32, random).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
  if (format === "date") return "2099-12-31";
  if (format === "date-time") return "2024-01-31T12:00:00Z";
  if (pattern.startsWith("^file-")) return `file-${hex(32, random)}`;
  if (pattern.includes("{64}")) return hex(64, random);
  if (pattern.startsWith("^\\d")) return String(random.between(1, 100));
  return words(random).slice(0, maxLength);
}

function hex(length: number, random: Random): string {
  return Array.from({ length }, () => random.between(0, 15).toString(16)).join("");
}

/** Every question has new words, and some questions are long, so that a cache of words would grow. */
function words(random: Random): string {
  const count = random.chance(0.03) ? 1_000 : random.between(1, 12);
  return Array.from({ length: count }, () => (random.chance(0.2) ? newWord(random) : random.pick(WORDS))).join(" ");
}

function newWord(random: Random): string {
  return random.between(0, 2 ** 31).toString(36);
}
