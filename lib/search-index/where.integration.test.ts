import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { CONDITION_TREE, METADATA, meets } from "../testing/condition-model.ts";
import { testDatabase } from "../testing/database.ts";
import { fc } from "../testing/property.ts";
import { condition, type Where } from "./condition.ts";
import { compileWhere } from "./where.ts";

const { db } = testDatabase();

interface Source {
  source_id: string;
  title: string;
  source_type: string;
  audience: string[];
  content_category: string;
  path: string[];
  storage_key: string | null;
  body: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

function sourceWith(more: Partial<Source>): Source {
  return {
    source_id: "handbook.pdf",
    title: "Staff handbook",
    source_type: "document",
    audience: ["staff", "partner"],
    content_category: "hr",
    path: ["Company", "HR"],
    storage_key: "original",
    body: { kind: "file", fileName: "Handbook 50%.pdf" },
    metadata: {},
    ...more,
  };
}

/** Whether each source meets the condition tree, by the database. */
async function matching(sources: Source[], where: Where): Promise<boolean[]> {
  const tables = { source: sql`v`, version: sql`v` };
  const rows = await db.execute<{ matches: boolean }>(sql`
    select ${compileWhere(where, tables)} as matches
    from jsonb_array_elements(${JSON.stringify(sources)}::text::jsonb) with ordinality as given (value, place)
    cross join lateral (select
      value ->> 'source_id' as source_id, value ->> 'title' as title, value ->> 'source_type' as source_type,
      array(select jsonb_array_elements_text(value -> 'audience')) as audience,
      value ->> 'content_category' as content_category,
      array(select jsonb_array_elements_text(value -> 'path')) as path,
      value ->> 'storage_key' as storage_key, value -> 'body' as body, value -> 'metadata' as metadata) as v
    order by place`);
  return rows.map(({ matches }) => matches);
}

/** The indexes of the stored values that meet a condition. */
async function found(stored: unknown[], given: Record<string, unknown>): Promise<unknown[]> {
  const sources = stored.map((value) => sourceWith({ metadata: value === MISSING ? {} : { key: value } }));
  const matches = await matching(sources, condition.parse({ field: "key", ...given }));
  return stored.filter((_, index) => matches[index]);
}

const MISSING = Symbol("missing");
const STORED = [MISSING, null, [], "5", "abc", "a%c_\\", "", 5, 5.5, -1, true, false, ["5", "x"], [5, 7], { a: "5" }];
const PRESENT = STORED.slice(3);
const without = (...values: unknown[]) => PRESENT.filter((each) => !values.some((value) => same(each, value)));
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

describe("a condition on metadata", () => {
  it.each([
    [{ op: "eq", value: "5" }, ["5", ["5", "x"]]],
    [{ op: "eq", value: 5 }, [5, [5, 7]]],
    [{ op: "eq", value: 5.5 }, [5.5]],
    [{ op: "eq", value: true }, [true]],
    [{ op: "eq", value: "" }, [""]],
    [{ op: "ne", value: "5" }, without("5", ["5", "x"])],
    [{ op: "ne", value: 5 }, without(5, [5, 7])],
    [{ op: "ne", value: false }, without(false)],
    [{ op: "in", value: ["5", 5] }, ["5", 5, ["5", "x"], [5, 7]]],
    [{ op: "nin", value: ["5", 5, true] }, without("5", 5, true, ["5", "x"], [5, 7])],
    [{ op: "gt", value: 5 }, [5.5, [5, 7]]],
    [{ op: "gte", value: 5 }, [5, 5.5, [5, 7]]],
    [{ op: "lt", value: 5 }, [-1]],
    [{ op: "lte", value: 5 }, [5, -1, [5, 7]]],
    [{ op: "lt", value: 1e300 }, [5, 5.5, -1, [5, 7]]],
    [{ op: "contains", value: "%c_\\" }, ["a%c_\\"]],
    [{ op: "contains", value: "b" }, ["abc"]],
    [{ op: "contains", value: "B" }, []],
    [{ op: "contains", value: "5" }, ["5", ["5", "x"]]],
    [{ op: "notContains", value: "%" }, without("a%c_\\")],
    [{ op: "startsWith", value: "a%" }, ["a%c_\\"]],
    [{ op: "startsWith", value: "a" }, ["abc", "a%c_\\"]],
    [{ op: "endsWith", value: "_\\" }, ["a%c_\\"]],
    [{ op: "endsWith", value: "x" }, [["5", "x"]]],
    [{ op: "exists" }, PRESENT],
    [{ op: "notExists" }, [MISSING, null, []]],
    [{ op: "before", value: "2024-01-01" }, [5, 5.5, -1, [5, 7]]],
  ])("%j finds %j", async (given, expected) => {
    expect(await found(STORED, given)).toEqual(expected);
  });

  const DATES = [
    "2024-02-29",
    "2024-02-29T12:00",
    "2024-02-29T12:00:00.5Z",
    "2024-02-29T23:30:00-02:00",
    1_709_208_000,
    ["2024-03-05", "2020-01-01"],
  ];
  const NO_DATES = [
    "2023-02-29",
    "2024-02-29T25:00Z",
    "now",
    "tomorrow",
    "infinity",
    "29.02.2024",
    "2024",
    "0000-01-01",
    `2024-02-29T12:00:00.${"1".repeat(500)}Z`,
    "",
    1e300,
    true,
    { date: "2024-02-29" },
  ];
  it.each([
    [{ op: "after", value: "2024-02-28T23:59:59Z" }, DATES],
    [{ op: "before", value: "2024-03-01T01:30:01Z" }, DATES],
    [{ op: "after", value: "2024-02-29T12:00:00Z" }, [DATES[2], DATES[3], DATES[5]]],
    [{ op: "before", value: 1_709_208_000 }, [DATES[0], DATES[5]]],
    [{ op: "after", value: "0001-01-01" }, DATES],
    [{ op: "before", value: "9999-12-31T23:59:59.999Z" }, DATES],
  ])("%j finds dates, and no texts that are not dates", async (given, expected) => {
    expect(await found([...DATES, ...NO_DATES, MISSING], given)).toEqual(expected);
  });

  it("reads stored dates the same under any settings of the session", async () => {
    const given = { op: "before", value: "2024-02-29T00:00:00Z" };
    const [first] = await db.transaction(async (tx) => {
      await tx.execute(sql`set local timezone = 'Asia/Tokyo'`);
      await tx.execute(sql`set local datestyle = 'German, DMY'`);
      return tx.execute(sql`select ragstone.instant_or_null('"2024-02-29"') = '2024-02-29T00:00:00Z' as same`);
    });
    expect(first).toEqual({ same: true });
    expect(await found(["2024-02-29"], given)).toEqual([]);
  });
});

describe("a condition on a label", () => {
  it.each([
    [{ field: "sourceId", op: "eq", value: "handbook.pdf" }, true],
    [{ field: "title", op: "contains", value: "hand" }, true],
    [{ field: "sourceType", op: "ne", value: "qa" }, true],
    [{ field: "audience", op: "eq", value: "partner" }, true],
    [{ field: "audience", op: "ne", value: "partner" }, false],
    [{ field: "contentCategory", op: "in", value: ["hr", "it"] }, true],
    [{ field: "path", op: "startsWith", value: "Company/" }, true],
    [{ field: "path", op: "eq", value: "Company/HR" }, true],
    [{ field: "fileName", op: "contains", value: "50%" }, true],
    [{ field: "title", op: "exists" }, true],
    [{ field: "metadata.title", op: "exists" }, false],
    [{ field: "toString", op: "exists" }, false],
  ])("%j is %j", async (given, expected) => {
    expect(await matching([sourceWith({})], condition.parse(given))).toEqual([expected]);
  });

  it("reads empty lists and sources without a file as missing", async () => {
    const bare = sourceWith({ audience: [], path: [], storage_key: null, body: { kind: "text", fileName: "x" } });
    for (const field of ["audience", "path", "fileName"]) {
      expect(await matching([bare], condition.parse({ field, op: "notExists" }))).toEqual([true]);
      expect(await matching([bare], condition.parse({ field, op: "ne", value: "x" }))).toEqual([false]);
    }
  });
});

it("a condition tree finds what a model in memory finds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(METADATA, { minLength: 1, maxLength: 8 }), CONDITION_TREE, async (all, where) => {
      const sources = all.map((each) => sourceWith({ metadata: each }));
      expect(await matching(sources, where)).toEqual(all.map((each) => meets(each, where)));
    }),
    { numRuns: 200 },
  );
});
