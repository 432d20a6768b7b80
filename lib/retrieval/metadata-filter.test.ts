import { describe, expect, it } from "vitest";
import { isStorable, UNSTORABLE_TEXTS } from "../testing/unstorable-text.ts";
import { metadataFilter, toMetadataFilter } from "./metadata-filter.ts";

const parse = (given: unknown) => metadataFilter.safeParse(given);
const issuesOf = (given: unknown) =>
  parse(given).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];

/** `not` around a condition, this many times. */
function nested(levels: number): object {
  return levels === 0 ? { region: "EU" } : { not: nested(levels - 1) };
}
const conditions = (count: number) => Array.from({ length: count }, (_, index) => ({ [`key${index}`]: index }));

describe("a metadata filter", () => {
  it.each([
    [{ region: "EU" }, { field: "region", op: "eq", value: "EU" }],
    [{ region: ["EU", "US"] }, { field: "region", op: "in", value: ["EU", "US"] }],
    [
      { active: false, year: null },
      { field: "active", op: "eq", value: false },
    ],
    [{ year: { gte: 2024, lt: null } }, { field: "year", op: "gte", value: 2024 }],
    [{ year: { exists: false } }, { field: "year", op: "notExists" }],
    [{ "metadata.title": { contains: "50%" } }, { field: "metadata.title", op: "contains", value: "50%" }],
    [{ until: { before: 0 } }, { field: "until", op: "before", value: "1970-01-01T00:00:00.000Z" }],
    [{ until: { after: "2024-02-29" } }, { field: "until", op: "after", value: "2024-02-29T00:00:00.000Z" }],
    [{ until: { after: "2024-02-29T10:00" } }, { field: "until", op: "after", value: "2024-02-29T10:00:00.000Z" }],
    [
      { until: { after: "2024-02-29T10:00+02:00" } },
      { field: "until", op: "after", value: "2024-02-29T08:00:00.000Z" },
    ],
    [
      { region: "EU", or: [{ year: 2024 }, { not: { draft: true } }] },
      {
        and: [
          { field: "region", op: "eq", value: "EU" },
          {
            or: [{ field: "year", op: "eq", value: 2024 }, { not: { field: "draft", op: "eq", value: true } }],
          },
        ],
      },
    ],
    [{}, undefined],
    [{ region: null, year: [] }, undefined],
  ])("%j becomes a condition tree", (given, where) => {
    expect(parse(given)).toEqual({ success: true, data: where });
  });

  it.each([
    ["EU", ": must be an object"],
    [[{ region: "EU" }], ": must be an object"],
    [{ region: {} }, "region: must have an operator: eq, ne"],
    [{ region: { is: "EU" } }, "region.is: unknown operator; use one of eq, ne"],
    [{ region: { eq: null, ne: {} } }, "region.ne: must be a string, a number or a boolean"],
    [{ year: { gte: "2024" } }, "year.gte: must be a number"],
    [{ year: { in: [] } }, "year.in: must have at least one value"],
    [{ year: { in: 2024 } }, "year.in: must be an array of strings, numbers or booleans"],
    [{ year: { in: [2024, [2025]] } }, "year.in.1: must be a string, a number or a boolean"],
    [{ year: { exists: 1 } }, "year.exists: must be true or false"],
    [{ title: { contains: 5 } }, "title.contains: must be a string"],
    [{ title: { contains: "" } }, "title.contains: must not be empty"],
    [{ until: { before: "tomorrow" } }, "until.before: must be a date in ISO 8601"],
    [{ until: { before: "2023-02-29" } }, "until.before: must be a date in ISO 8601"],
    [{ until: { before: 1e15 } }, "until.before: "],
    [{ or: { region: "EU" } }, "or: must be an array of objects"],
    [{ or: [] }, "or: must have at least one condition"],
    [{ or: [{ region: "EU" }, { year: null }] }, "or.1: must have a condition"],
    [{ or: [{ region: "EU" }, 5] }, "or.1: must be an object"],
    [{ not: {} }, "not: must have a condition"],
    [{ "": 1 }, ": must name a field"],
    [{ "metadata.": 1 }, "metadata.: must name a field"],
    [{ ["k".repeat(201)]: 1 }, `${"k".repeat(201)}: must have at most 200 characters`],
    [{ region: "x".repeat(513) }, "region: must have at most 512 characters"],
    [{ region: new Array(101).fill(1) }, "region: must have at most 100 values"],
    [nested(5), "not.not.not.not.not: must not nest deeper than 4 levels"],
    [{ and: conditions(51) }, "and.50.key50: must have at most 50 conditions in all"],
    [{ or: conditions(60) }, "or.50.key50: must have at most 50 conditions in all"],
  ])("%j is refused, and the place is named", (given, issue) => {
    const [first, ...others] = issuesOf(given);
    expect(first).toContain(issue);
    expect(others).toEqual([]);
  });

  it.each([
    nested(4),
    { and: conditions(50) },
    { ["k".repeat(200)]: 1 },
    { [`metadata.${"k".repeat(200)}`]: 1 },
    { region: "x".repeat(512) },
    { region: new Array(100).fill(1) },
  ])("is accepted at each limit", (given) => {
    expect(issuesOf(given)).toEqual([]);
  });

  it("names every issue, but never more than a hundred", () => {
    expect(issuesOf({ year: { gte: "1", in: [] }, or: [] })).toHaveLength(3);
    expect(issuesOf({ or: new Array(10_000).fill({}) })).toHaveLength(100);
    const deep = JSON.parse(`${'{"not":'.repeat(100_000)}1${"}".repeat(100_000)}`);
    expect(issuesOf(deep)).toHaveLength(1);
  });

  it.each(UNSTORABLE_TEXTS)("cleans %j, which the database cannot store", (text) => {
    expect(isStorable(parse({ [text]: text, other: { in: [text] } }).data)).toBe(true);
  });

  it("reads hostile field names as keys of the metadata", () => {
    const given = JSON.parse('{"__proto__": 1, "constructor": {"eq": 2}, "toString": 3}');
    const where = parse(given).data;
    expect(where).toMatchObject({ and: [{ field: "__proto__" }, { field: "constructor" }, { field: "toString" }] });
    expect(where && parse(toMetadataFilter(where)).data).toEqual(where);
  });

  it.each([
    { region: "EU", year: { gte: 2024, lt: 2026 }, tags: ["a", "b"], or: [{ x: 1 }, { y: { exists: false } }] },
    { and: [{ year: { gte: 1 } }, { year: { gte: 2 } }] },
    { and: [{ not: { eq: 1 } }, { not: { ne: 2 } }] },
    nested(4),
  ])("is written to the log so that it reads the same: %j", (given) => {
    const where = parse(given).data;
    expect(where && parse(toMetadataFilter(where)).data).toEqual(where);
  });

  it.each(["and", "or", "not"])("writes a field that is called %s so that it reads as a field", (field) => {
    const written = toMetadataFilter({ field, op: "eq", value: "x" });
    expect(parse(written).data).toEqual({ field: `metadata.${field}`, op: "eq", value: "x" });
  });
});
