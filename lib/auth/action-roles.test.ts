import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Actions that every member may call, including support staff; all others name `role: "admin"`. */
const FOR_EVERYONE =
  /^(session|person|knowledge|source|playground|usage|answer|request|gap|suggestion\.(?:make|withdraw)|test_run|test_question|company\.switch)\b/;

interface Found {
  file: string;
  name: string;
  options: string;
}

function actions(): Found[] {
  return globSync("app/**/*.{ts,tsx}").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    if (!source.startsWith('"use server"')) return [];
    return [...source.matchAll(/= action\(\s*\{([\s\S]*?)name: "([^"]+)"([\s\S]*?)\},?\s*(?:async\s*)?\(/g)].map(
      ([, before = "", name = "", after = ""]) => ({ file, name, options: before + after }),
    );
  });
}

function serverFiles(): { file: string; source: string }[] {
  return globSync("app/**/*.{ts,tsx}")
    .map((file) => ({ file, source: readFileSync(file, "utf8") }))
    .filter(({ source }) => source.includes('"use server"'));
}

test("every action that support staff may not call names its role", () => {
  const open = actions().filter(({ options }) => !options.includes('role: "admin"'));
  expect(actions().length).toBeGreaterThan(10);
  expect(open.filter(({ name }) => !FOR_EVERYONE.test(name)).map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

test("only actions that concern the person run from a page that shows another company", () => {
  const named = actions().map(({ name, options }) => ({ name, anyCompany: options.includes("anyCompany: true") }));
  const personal = /^(session|person)\.|^company\.switch$/;
  expect(named.filter(({ name, anyCompany }) => personal.test(name) !== anyCompany)).toEqual([]);
  expect(named.filter(({ anyCompany }) => anyCompany)).toHaveLength(5);
});

test("every server action uses the one wrapper", () => {
  for (const { file, source } of serverFiles()) {
    const exported = source.match(/^export /gm)?.length ?? 0;
    const wrapped = source.match(/^export const \w+ = (open)?[aA]ction\(/gm)?.length ?? 0;
    expect({ file, wrapped }).toEqual({ file, wrapped: exported });
  }
});

test("without a session, only sign-in, set-up and the like are possible", () => {
  const open = serverFiles().filter(({ source }) => source.includes("openAction("));
  expect(open.map(({ file }) => file).sort()).toEqual(["app/(auth)/actions.ts", "app/setup/actions.ts"]);
});

test("an admin-only page has no loading skeleton above it, which would answer 200 before the role is known", () => {
  const pages = globSync("app/**/page.tsx").filter((file) => readFileSync(file, "utf8").includes('role: "admin"'));
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.flatMap((file) => loadingFilesAbove(dirname(file)))).toEqual([]);
});

function loadingFilesAbove(folder: string): string[] {
  if (folder === ".") return [];
  const here = join(folder, "loading.tsx");
  return [...(existsSync(here) ? [here] : []), ...loadingFilesAbove(dirname(folder))];
}
