import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { MAX_PAGE } from "./page.ts";
import { isStorable, UNSTORABLE_TEXTS, unstorableOutputs } from "./testing/unstorable-text.ts";

const declared = vi.hoisted((): { name: string; schema: z.ZodType }[] => []);
const declare = vi.hoisted(() => (options: { name: string; schema: z.ZodType }) => {
  declared.push(options);
  return () => undefined;
});
vi.mock("./auth/action.ts", () => ({ action: declare, openAction: declare }));

const HOSTILE_NUMBERS = ["9".repeat(20), "-1", "0", "1e308", "NaN", "Infinity", "-9".repeat(30), "0x10", "1.5", ""];
const HOSTILE_DAYS = ["+275760-09", "-271821-05-01", "0000-01-01", "9999-99-99", "2024-02-31T25:00", "10000-01-01"];

async function load(folder: string, name: RegExp): Promise<{ file: string; exports: Record<string, unknown> }[]> {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
  const files = found.filter((file) => name.test(file) && !file.includes(".test."));
  return Promise.all(files.map(async (file) => ({ file, exports: await import(pathToFileURL(file).href) })));
}

test("no action accepts text that the database cannot store", async () => {
  await load("app", /actions\.ts$/);
  expect(declared.length).toBeGreaterThan(30);
  expect(declared.flatMap(({ name, schema }) => unstorableOutputs(schema, name))).toEqual([]);
});

test("no input schema accepts text that the database cannot store", async () => {
  const modules = await load("lib", /(schema|input|query|policy|export)\.ts$/);
  const schemas = modules.flatMap(({ exports }) =>
    Object.entries(exports).flatMap(([name, value]) =>
      value instanceof z.ZodType && /(Input|Query|Request|Policy)$/.test(name) ? [{ name, schema: value }] : [],
    ),
  );
  expect(schemas.length).toBeGreaterThan(30);
  expect(schemas.flatMap(({ name, schema }) => unstorableOutputs(schema, name))).toEqual([]);
});

test("no page passes a search parameter to the database that it cannot store", async () => {
  const modules = await load("app", /search-params\.ts$/);
  const loaders = modules.flatMap(({ file, exports }) =>
    Object.entries(exports).flatMap(([name, value]) =>
      name.startsWith("load") ? [{ name: `${file} ${name}`, load: value }] : [],
    ),
  );
  expect(loaders.length).toBeGreaterThan(7);
  const names = modules.flatMap(({ exports }) =>
    Object.entries(exports).flatMap(([name, value]) =>
      name.endsWith("Params") && typeof value === "object" ? Object.keys(Object(value)) : [],
    ),
  );
  const hostile = [...UNSTORABLE_TEXTS, ...HOSTILE_NUMBERS, ...HOSTILE_DAYS, "x".repeat(100_000)];
  for (const { name, load } of loaders) {
    if (typeof load !== "function") continue;
    for (const text of hostile) {
      const read: object = load(Object.fromEntries([...names, "request"].map((param) => [param, text])));
      expect(JSON.stringify(read).length, name).toBeLessThan(100_000);
      for (const value of Object.values(read)) {
        expect(isStorable(value), `${name}: ${text}`).toBe(true);
        if (typeof value === "number")
          expect(value > 0 && value <= MAX_PAGE && Number.isInteger(value), name).toBe(true);
        if (value instanceof Date) expect(value.toISOString(), name).toMatch(/^\d{4}-/);
      }
    }
  }
});

test("pages read search parameters only with loaders of search-params.ts, which uses only parsers that clean text", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const raw = files.filter((name) => {
    const text = readFileSync(join("app", name), "utf8");
    // the state of client components stays in the browser
    if (text.startsWith('"use client"')) return false;
    const ownParser = /parseAs(String|Integer|Float|Index|Timestamp|IsoDate|IsoDateTime|Hex|Json)\b/.test(text);
    const ownLoader = /createLoader|createParser/.test(text) && !name.endsWith("search-params.ts");
    return ownParser || ownLoader || /await searchParams|\(await \w+\.searchParams/.test(text);
  });
  expect(raw).toEqual([]);
});
