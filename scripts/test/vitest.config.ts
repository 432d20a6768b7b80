import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { unsetVariables } from "../../lib/testing/unset-variables.ts";

unsetVariables();

const root = new URL("../..", import.meta.url).pathname;
const EXEC_ARGV = ["--import", new URL("../start/quick-imports.ts", import.meta.url).href];

/**
 * These do not depend on the kind of database: on a server they would only cost time. `lib/two-companies` calls every
 * service there.
 */
const EMBEDDED_ONLY = [
  "lib/adapters/**",
  "scripts/cli/*.integration.test.ts",
  "lib/{api-keys,client,connect,http,members,openapi,playground}/**",
  "lib/knowledge/{browse,manage}/**",
  "lib/retrieval/{checked-answer,follow-up,plan}.integration.test.ts",
  "bench/soak/providers.integration.test.ts",
];

const resolve = { alias: { "@/": root } };

/** The integration tests of some folders, one file after another on a database of their own. */
function onDatabase(name: string, folders: string): TestProjectInlineConfiguration {
  return {
    root,
    resolve,
    test: {
      name,
      execArgv: EXEC_ARGV,
      include: [`${folders}/**/*.integration.test.ts`],
      exclude: process.env.TEST_DATABASE_URL ? EMBEDDED_ONLY : [],
      globalSetup: ["lib/testing/global-setup.ts"],
      fileParallelism: false,
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  };
}

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        resolve,
        test: {
          name: "unit",
          execArgv: EXEC_ARGV,
          include: ["{components,lib,scripts,bench}/**/*.test.ts"],
          exclude: ["**/*.integration.test.ts"],
          // property tests and child processes are slow on a busy machine
          testTimeout: 60_000,
        },
      },
      onDatabase("integration", "lib"),
      onDatabase("tools", "{scripts,bench}"),
    ],
  },
});
