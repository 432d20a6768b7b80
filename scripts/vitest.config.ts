import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;
const execArgv = ["--import", new URL("./quick-imports.ts", import.meta.url).href];

const resolve = { alias: { "@/": root } };

export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        resolve,
        test: {
          name: "unit",
          execArgv,
          include: ["{lib,scripts,bench}/**/*.test.ts"],
          exclude: ["**/*.integration.test.ts"],
          // property tests and child processes are slow on a busy machine
          testTimeout: 60_000,
        },
      },
      {
        root,
        resolve,
        test: {
          name: "integration",
          execArgv,
          include: ["{lib,scripts,bench}/**/*.integration.test.ts"],
          globalSetup: ["lib/testing/global-setup.ts"],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
