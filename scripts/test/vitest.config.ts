import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { unsetVariables } from "../../lib/testing/unset-variables.ts";

unsetVariables();

const root = new URL("../..", import.meta.url).pathname;

/**
 * These do not depend on the kind of database: on a server they would only cost time. `lib/service-roles` and
 * `lib/two-companies` call every service there. Tests of plans, and of transactions that meet, must not be here: the
 * embedded database runs one transaction after another.
 */
const EMBEDDED_ONLY = [
  "lib/{adapters,audit,auth,client,connect,http,openapi,playground}/**",
  "lib/{retrieval-settings,score-calibration}/**",
  "lib/{read-only,unaffected-by-others}.integration.test.ts",
  "lib/db/{replace-pool,replica}.integration.test.ts",
  "lib/knowledge/{suggestions,verify}/**",
  "lib/knowledge/browse/{browse,describe-knowledge,matching-sources,page-sources,read-around}.integration.test.ts",
  "lib/knowledge/ingest/{attachments,deleted-emails,recognised-pages}.integration.test.ts",
  "lib/knowledge/intake/{import-preview,labels}.integration.test.ts",
  "lib/knowledge/manage/{bulk,killed-worker,policy,refused-sources,scopes,verification}.integration.test.ts",
  "lib/retrieval/{caller-leaves,checked-answer,duplicate-texts,excluded-sources,follow-up,older-versions}.integration.test.ts",
  "lib/test-questions/{eval-folder,of-request,test-questions,try-settings}.integration.test.ts",
  "lib/usage/{receipt,report}.integration.test.ts",
  "bench/soak/providers.integration.test.ts",
  "scripts/cli/*.integration.test.ts",
];

/**
 * Files that replace modules, set the environment, or measure CPU time or memory get a process each. The others share
 * one, which halves their CPU time.
 */
const NEEDS_ISOLATION = /vi\.(?:mock|stubEnv)\(|process\.env\b|cpuUsage\(|--expose-gc/i;
const needsIsolation = (file: string) => NEEDS_ISOLATION.test(readFileSync(join(root, file), "utf8"));
const files = globSync("{components,lib,scripts,bench}/**/*.test.ts", { cwd: root });
const { isolated = [], shared = [] } = Object.groupBy(files, (file) => (needsIsolation(file) ? "isolated" : "shared"));

type Options = NonNullable<TestProjectInlineConfiguration["test"]>;

/** Property tests, child processes and timers are slow on a busy machine. */
const PATIENT: Options = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } };

const UNIT: Options = {
  include: ["{components,lib,scripts,bench}/**/*.test.ts"],
  exclude: ["**/*.integration.test.ts"],
};

/** The integration tests of some folders, one file after another on a database of their own. */
function onDatabase(folders: string): Options {
  return {
    include: [`${folders}/**/*.integration.test.ts`],
    exclude: process.env.TEST_DATABASE_URL ? EMBEDDED_ONLY : [],
    globalSetup: ["lib/testing/global-setup.ts"],
    setupFiles: ["lib/testing/distribution/check-statements.ts"],
    fileParallelism: false,
  };
}

function project(name: string, options: Options): TestProjectInlineConfiguration {
  const execArgv = ["--import", new URL("../start/quick-imports.ts", import.meta.url).href];
  return { root, resolve: { alias: { "@/": root } }, test: { ...PATIENT, ...options, name, execArgv } };
}

/** A project of the files that share a process, and one of those that do not. */
function divided(name: string, { exclude = [], ...options }: Options): TestProjectInlineConfiguration[] {
  return [
    project(name, { ...options, isolate: false, exclude: [...exclude, ...isolated] }),
    project(`${name} isolated`, { ...options, exclude: [...exclude, ...shared] }),
  ];
}

export default defineConfig({
  root,
  test: {
    projects: [
      ...divided("unit", UNIT),
      ...divided("integration", onDatabase("lib")),
      project("tools", onDatabase("{scripts,bench}")),
    ],
  },
});
