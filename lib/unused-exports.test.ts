import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { importsOf } from "./testing/source-files.ts";

const all = ["app", "components", "lib", "scripts", "bench", "e2e", "drizzle"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);
const texts = new Map(all.map((file) => [file, readFileSync(file, "utf8")]));
const importers = Map.groupBy(
  all.flatMap((file) => importsOf(file).map((module) => ({ file, module }))),
  ({ module }) => module,
);
/**
 * The framework, the tools and the client's users load these by their names; the tables are exported on through their
 * index.
 */
const isEntry = (file: string) =>
  /^app\/.*\b(page|layout|route|error|not-found|forbidden|global-error|loading)\.tsx?$|\bconfig\.ts$|^lib\/db\/schema\/|\/global-setup\.ts$|^lib\/client\/(index|ai|langchain|types|source-types)\.ts$/.test(
    file,
  );

it("no file exports anything that no other file imports", () => {
  const unused = all
    .filter((file) => !isEntry(file))
    .flatMap((file) =>
      [...(texts.get(file) ?? "").matchAll(/^export (?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm)]
        .map(([, name = ""]) => name)
        .filter(
          (name) => !importers.get(file)?.some((user) => new RegExp(`\\b${name}\\b`).test(texts.get(user.file) ?? "")),
        )
        .map((name) => `${file}: ${name}`),
    );
  expect(unused).toEqual([]);
});

it("no file exports anything that only tests use, but for what they need to control", () => {
  const isTest = (file: string) => /\.test\.|^(lib\/testing|scripts\/test|bench|e2e)\//.test(file);
  const onlyTested = all
    .filter((file) => !isEntry(file) && !isTest(file) && !/parse\/(?:\w+-)?fixtures\.ts$/.test(file))
    .flatMap((file) => {
      const text = texts.get(file) ?? "";
      return [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)]
        .map(([, name = ""]) => ({ name, word: new RegExp(`\\b${name}\\b`, "g") }))
        .filter(({ word }) => text.match(word)?.length === 1)
        .filter(({ word }) =>
          importers
            .get(file)
            ?.filter((user) => texts.get(user.file)?.match(word))
            .every((user) => isTest(user.file)),
        )
        .map(({ name }) => `${file}: ${name}`);
    });
  expect(onlyTested).toMatchInlineSnapshot(`
    [
      "lib/db/replica.ts: setReplica",
      "lib/knowledge/parse/child-processes.ts: closeParsers",
      "lib/knowledge/parse/index.ts: parseFile",
      "lib/knowledge/parse/index.ts: parseMarkdownText",
    ]
  `);
});
