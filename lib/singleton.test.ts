import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { singleton } from "./singleton.ts";

it("creates one value per name, for every copy of a module", () => {
  let created = 0;
  const [first, second] = [1, 2].map(() => singleton("test", () => ({ number: ++created })));
  expect(first?.peek()).toBeUndefined();
  expect(first?.get()).toBe(second?.get());
  expect(created).toBe(1);
  second?.set({ number: 7 });
  expect(first?.get()).toEqual({ number: 7 });
  second?.set();
  expect(first?.get()).toEqual({ number: 2 });
  first?.set();
});

it("is the only way to keep a value for the process, and its names are unique", () => {
  const sources = readdirSync("lib", { recursive: true, encoding: "utf8" })
    // the client is a package of its own
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.startsWith("client/"))
    .map((name) => ({ name, text: readFileSync(`lib/${name}`, "utf8") }));
  const holders = sources.filter(({ text }) => /globalThis(?!\.AI_SDK_LOG_WARNINGS)/.test(text));
  expect(holders.map(({ name }) => name)).toEqual(["singleton.ts"]);
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/singleton(?:<[^(]*>)?\(\s*"(\w+)"/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(5);
  expect(new Set(names).size).toBe(names.length);
});
