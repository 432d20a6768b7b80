import { defineConfig } from "@playwright/test";
import { unsetVariables } from "../lib/testing/unset-variables.ts";
import { chromiumPath } from "../scripts/test/chromium.mjs";

unsetVariables();

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  // all tests share one server and one database on two cores
  workers: 1,
  // the server's worker processes sources on the same two cores
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["line"], ["json", { outputFile: "../test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    // the global set-up sets these variables before a test reads them
    baseURL: process.env.E2E_URL,
    storageState: process.env.E2E_SESSION,
    // during a transition between themes, colours have no defined contrast
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1440, height: 900 },
    timezoneId: "Europe/Rome",
    locale: "en-GB",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: chromiumPath(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--disable-default-apps",
      ],
    },
  },
});
