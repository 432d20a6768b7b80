import type { ApiDocument, JsonSchema } from "./api-document.ts";
import type { Random } from "./random.ts";

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
] as const;

/** Values that often break software. */
const HOSTILE = [
  null,
  true,
  0,
  -1,
  1e308,
  -0,
  0.1 + 0.2,
  2 ** 53,
  "",
  " ",
  "NaN",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u200b\ufeff",
  "a\u0301".repeat(4_000),
  "' or 1=1; --",
  "%s%n{{7*7}}",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "x".repeat(8_001),
  "x".repeat(100_000),
  [],
  {},
  [[]],
  [null],
  [""],
  ["\0", "\ud800"],
  Array.from({ length: 60 }, (_, index) => `value ${index}`),
  { $or: [{}] },
  { toString: 1, constructor: { prototype: {} } },
] as const;

const UNKNOWN_KEYS = [
  "companyId",
  "company_id",
  "role",
  "constructor",
  "toString",
  "limt",
  "\0",
  "\ud800",
  "",
  "x".repeat(5_000),
];

/** A value that the schema allows. */
export function validValue(document: ApiDocument, given: JsonSchema, random: Random): unknown {
  const schema = document.resolve(given);
  const [first, ...more] = schema.anyOf ?? [];
  if (first) return validValue(document, random.pick([first, ...more]), random);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[random.between(0, schema.enum.length - 1)];
  const [type = "null", ...types] = [schema.type ?? "null"].flat();
  switch (random.pick([type, ...types])) {
    case "string":
      return words(random).slice(0, schema.maxLength ?? 8_000);
    case "integer":
      return random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 100, 1_000_000));
    case "number":
      return (schema.minimum ?? 0) + random.next() * ((schema.maximum ?? 1) - (schema.minimum ?? 0));
    case "boolean":
      return random.chance(0.5);
    case "array":
      return Array.from({ length: random.between(0, 3) }, () => validValue(document, schema.items ?? {}, random));
    case "object":
      return validObject(document, schema, random);
    default:
      return null;
  }
}

function validObject(document: ApiDocument, { properties = {}, required = [] }: JsonSchema, random: Random): object {
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.3));
  return Object.fromEntries(chosen.map(([name, schema]) => [name, validValue(document, schema, random)]));
}

/** Every question has new words, and some questions are long, so that a cache of words would grow. */
function words(random: Random): string {
  const count = random.chance(0.03) ? 1_000 : random.between(1, 12);
  return Array.from({ length: count }, () => (random.chance(0.2) ? newWord(random) : random.pick(WORDS))).join(" ");
}

function newWord(random: Random): string {
  return random.between(0, 2 ** 31).toString(36);
}

/** The value with one to three mutations: parts replaced, removed, added or moved. */
export function mutated(value: unknown, random: Random): unknown {
  let changed = value;
  for (let left = random.between(1, 3); left > 0; left--) changed = mutateOnce(changed, random);
  return changed;
}

function mutateOnce(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const place = random.between(0, value.length - 1);
    return value.map((item, index) => (index === place ? mutateOnce(item, random) : item));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || random.chance(0.05))
    return hostile(random);
  const entries = Object.entries(value);
  const place = random.between(0, Math.max(0, entries.length - 1));
  const unknown: [string, unknown] = [UNKNOWN_KEYS[random.between(0, UNKNOWN_KEYS.length - 1)] ?? "", hostile(random)];
  if (entries.length === 0 || random.chance(0.2)) return Object.fromEntries([...entries, unknown]);
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((_, index) => index !== place));
  return Object.fromEntries(
    entries.map(([name, each], index) => [name, index === place ? mutateOnce(each, random) : each]),
  );
}

function hostile(random: Random): unknown {
  return HOSTILE[random.between(0, HOSTILE.length - 1)];
}
