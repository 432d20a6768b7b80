import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  globalSetup: "./global-setup.ts",
  // one server, one database, and two cores for both
  workers: 1,
  // what is added is read by a worker on the same two cores
  timeout: 150_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["line"], ["json", { outputFile: "../test-results/e2e.json" }]],
  use: {
    browserName: "chromium",
    // left by the global set-up, which has run when a test reads this
    baseURL: process.env.E2E_URL,
    storageState: process.env.E2E_SESSION,
    // colours on their way from one theme to the other have any contrast
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1440, height: 900 },
    timezoneId: "Europe/Rome",
    locale: "en-GB",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: "/usr/bin/chromium",
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
