import { expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { type RetrieveRequest, retrieveRequest } from "./schema.ts";

const defaults: RetrieveRequest = {
  queryText: "q",
  filters: {},
  returnMode: "chunks_only",
  limit: 10,
};

function issuesOf(body: unknown) {
  return retrieveRequest.safeParse(body).error?.issues.map(({ path, message }) => ({ path: path.join("."), message }));
}

test("only queryText is required; all other fields have defaults", () => {
  expect(retrieveRequest.parse({ queryText: "q" })).toEqual(defaults);
});

test("null means absent, even inside filters", () => {
  const fields = Object.keys(retrieveRequest.shape).filter((name) => name !== "queryText");
  const nulls = Object.fromEntries(fields.map((name) => [name, null]));
  expect(retrieveRequest.parse({ queryText: "q", ...nulls })).toEqual(defaults);
  const filters = { sourceTypes: null, audience: null, contentCategory: null, path: null };
  expect(retrieveRequest.parse({ queryText: "q", filters })).toEqual(defaults);
  expect(issuesOf({ queryText: null })).toHaveLength(1);
});

test.each([
  [{ queryText: "  q\n" }, { queryText: "q" }],
  [{ queryText: ` ${"x".repeat(8000)} ` }, { queryText: "x".repeat(8000) }],
  [{ queryText: "a\0b\ud800c\udc00" }, { queryText: "a\ufffdb\ufffdc\ufffd" }],
  [{ queryText: "\0" }, { queryText: "\ufffd" }],
  [{ queryText: "😀".repeat(4000) }, { queryText: "😀".repeat(4000) }],
  [{ limit: 1 }, { limit: 1 }],
  [{ limit: 100 }, { limit: 100 }],
  [{ scoreThreshold: 0 }, { scoreThreshold: 0 }],
  [{ scoreThreshold: 1 }, { scoreThreshold: 1 }],
  [{ clientName: "a\0" }, { clientName: "a\ufffd" }],
  [{ companyProductsNames: ["a\udfff"] }, { companyProductsNames: ["a\ufffd"] }],
  [{ clientLogs: "" }, { clientLogs: "" }],
  [{ filters: { sourceTypes: [], contentCategory: [], path: [] } }, { filters: {} }],
  [{ filters: { sourceTypes: ["qa"] } }, { filters: { sourceTypes: ["qa"] } }],
  [{ filters: { audience: "nobody\0" } }, { filters: { audience: "nobody\ufffd" } }],
  [{ filters: { contentCategory: "policy" } }, { filters: { contentCategory: ["policy"] } }],
  [{ filters: { contentCategory: ["a", "b"] } }, { filters: { contentCategory: ["a", "b"] } }],
  [{ filters: { path: ["A", "B"] } }, { filters: { path: ["A", "B"] } }],
  [{ unknown: 1, querytext: "x" }, {}],
])("accepts %j", (given, expected) => {
  expect(retrieveRequest.parse({ queryText: "q", ...given })).toEqual({ ...defaults, ...expected });
});

test.each([
  [{ queryText: "" }, "queryText"],
  [{ queryText: " \n\t" }, "queryText"],
  [{ queryText: "x".repeat(8001) }, "queryText"],
  [{ queryText: undefined }, "queryText"],
  [{ queryText: 5 }, "queryText"],
  [{ queryText: ["q"] }, "queryText"],
  [{ limit: 0 }, "limit"],
  [{ limit: 101 }, "limit"],
  [{ limit: 10.5 }, "limit"],
  [{ limit: "10" }, "limit"],
  [{ limit: 1e308 }, "limit"],
  [{ scoreThreshold: -0.001 }, "scoreThreshold"],
  [{ scoreThreshold: 1.001 }, "scoreThreshold"],
  [{ scoreThreshold: "0.5" }, "scoreThreshold"],
  [{ scoreThreshold: Number.POSITIVE_INFINITY }, "scoreThreshold"],
  [{ returnMode: "both" }, "returnMode"],
  [{ useRerank: "true" }, "useRerank"],
  [{ useRerank: 1 }, "useRerank"],
  [{ companyName: 1 }, "companyName"],
  [{ companyProductsNames: "a, b" }, "companyProductsNames"],
  [{ companyProductsNames: [null] }, "companyProductsNames.0"],
  [{ clientServices: ["a"] }, "clientServices"],
  [{ filters: "qa" }, "filters"],
  [{ filters: [] }, "filters"],
  [{ filters: { sourceTypes: "qa" } }, "filters.sourceTypes"],
  [{ filters: { sourceTypes: ["web"] } }, "filters.sourceTypes.0"],
  [{ filters: { audience: ["ai_agent"] } }, "filters.audience"],
  [{ filters: { contentCategory: 3 } }, "filters.contentCategory"],
  [{ filters: { path: "A" } }, "filters.path"],
  [{ filters: { sourceType: "qa" } }, "filters"],
])("refuses %j", (given, path) => {
  const paths = issuesOf({ queryText: "q", ...given })?.map((issue) => issue.path);
  expect([...new Set(paths)]).toEqual([path]);
});

test.each(["x".repeat(8001), "😀".repeat(4001)])("a question that is too long is one issue", (queryText) => {
  const message = "must have at most 8000 characters: shorten the question";
  expect(issuesOf({ queryText })).toEqual([{ path: "queryText", message }]);
});

test("the error for an unknown filter names it and the filters to use", () => {
  const message = issuesOf({ queryText: "q", filters: { sourceType: "qa" } })?.[0]?.message;
  expect(message).toContain('"sourceType"');
  for (const name of ["sourceTypes", "audience", "contentCategory", "path"]) expect(message).toContain(`"${name}"`);
});

test("the error for a wrong value names the allowed ones", () => {
  expect(issuesOf({ queryText: "q", filters: { sourceTypes: ["web"] } })?.[0]?.message).toContain('"document", "qa"');
  expect(issuesOf({ queryText: "q", returnMode: "x" })?.[0]?.message).toContain("chunks_only");
});

test.each([
  ["audience", "x".repeat(201), "must have at most 200 characters"],
  ["contentCategory", "x".repeat(201), "must have at most 200 characters"],
  ["contentCategory", ["x".repeat(201)], "must have at most 200 characters"],
  ["contentCategory", new Array(51).fill("x"), "must have at most 50 values"],
  ["path", new Array(51).fill("x"), "must have at most 50 values"],
  ["path", ["x".repeat(201)], "must have at most 200 characters"],
  ["sourceTypes", new Array(51).fill("qa"), "must have at most 50 values"],
])("limits the size of a filter: %s", (name, value, message) => {
  const [issue] = issuesOf({ queryText: "q", filters: { [name]: value } }) ?? [];
  expect(issue).toMatchObject({ path: expect.stringContaining(`filters.${name}`), message });
});

test("shortens the name of an unknown filter", () => {
  const filters = Object.fromEntries(["a", "b", "c"].map((name) => [name.repeat(10_000), 1]));
  expect(issuesOf({ queryText: "q", filters })?.[0]?.message.length).toBeLessThan(1_000);
});

test("reports all problems together", () => {
  const issues = issuesOf({ limit: 0, scoreThreshold: 2, filters: { foo: 1 }, useRerank: "no" });
  expect(issues?.map(({ path }) => path).toSorted()).toEqual([
    "filters",
    "limit",
    "queryText",
    "scoreThreshold",
    "useRerank",
  ]);
});

test.each([[null], [[]], ["text"], [1], [true]])("refuses a body that is not an object: %j", (body) => {
  expect(issuesOf(body)?.[0]?.message).toBe("must be a JSON object");
});

test("any body is either refused with reasons or parsed according to the contract", () => {
  const anything = fc.jsonValue({ maxDepth: 2 });
  const mostly = <Value>(valid: fc.Arbitrary<Value>) => fc.oneof({ weight: 20, arbitrary: valid }, anything);
  const text = mostly(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }));
  const context = Object.keys(retrieveRequest.shape).filter((name) => /^(client|companyName$)/.test(name));
  const body = fc.record(
    {
      ...Object.fromEntries(context.map((name) => [name, text])),
      queryText: text,
      limit: mostly(fc.integer({ min: -1, max: 102 })),
      scoreThreshold: mostly(fc.double({ min: -0.1, max: 1.1, noNaN: true })),
      filters: mostly(fc.record({ audience: text, path: mostly(fc.array(text)) }, { requiredKeys: [] })),
    },
    { requiredKeys: ["queryText"] },
  );
  let parsed = 0;
  fc.assert(
    fc.property(body, (given) => {
      const { data, error } = retrieveRequest.safeParse(given);
      if (!data) return error.issues.every(({ message }) => message.length > 0);
      parsed++;
      expect(data.queryText.trim()).toBe(data.queryText);
      expect(data.queryText).not.toBe("");
      expect(data.limit).toSatisfy((limit: number) => Number.isInteger(limit) && limit >= 1 && limit <= 100);
      expect(data.scoreThreshold ?? 0).toSatisfy((threshold: number) => threshold >= 0 && threshold <= 1);
      for (const value of [...Object.values(data), ...Object.values(data.filters)]) {
        expect(value).not.toBeNull();
        if (typeof value === "string") expect(value.isWellFormed() && !value.includes("\0")).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  expect(parsed).toBeGreaterThan(30);
});

test("a long list has as many issues as an error names, and no limit", () => {
  const products = (item: unknown) => ({ queryText: "x", companyProductsNames: Array(100_000).fill(item) });
  expect(retrieveRequest.safeParse(products(0)).error?.issues).toHaveLength(100);
  expect(retrieveRequest.parse(products("a\0")).companyProductsNames?.at(-1)).toBe("a\uFFFD");
  expect(retrieveRequest.parse(products("a")).companyProductsNames).toHaveLength(100_000);
});
