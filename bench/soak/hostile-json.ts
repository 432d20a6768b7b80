import type { Random } from "./random.ts";

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

const HOSTILE_TEXT_MAX = 2_000;

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

/** A text that often breaks software, short enough for a URL and without lone surrogates, which no URL can hold. */
export function hostileText(random: Random): string {
  const value = hostile(random);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.slice(0, HOSTILE_TEXT_MAX).toWellFormed() || "0";
}
