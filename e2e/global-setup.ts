import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type FullConfig } from "@playwright/test";
import { sample, variable } from "./fixtures.ts";
import { pageTable } from "./inspect.ts";
import { fillSignIn } from "./people.ts";
import { startServer } from "./server.ts";

/**
 * Starts the application, signs in the sample's admin, and stores URL, credentials and session in the environment.
 * If these variables are already set, the tests run against that server, which saves the start-up time.
 */
export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "ragstone-e2e-"));
  const server = process.env.E2E_URL ? null : await startServer(join(folder, "data"));
  const tearDown = async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (server) {
      Object.assign(process.env, {
        E2E_URL: server.url,
        E2E_EMAIL: server.email,
        E2E_PASSWORD: server.password,
        E2E_TOKEN: server.token,
        E2E_DATA_DIR: server.dataDir,
      });
    }
    process.env.E2E_SESSION = join(folder, "session.json");
    process.env.E2E_PAGES = join(folder, "pages.jsonl");
    await signIn(process.env.E2E_SESSION, config);
  } catch (error) {
    await tearDown();
    throw error;
  }
  return async () => {
    console.log(`\n${pageTable()}`);
    await tearDown();
  };
}

async function signIn(session: string, config: FullConfig): Promise<void> {
  const browser = await chromium.launch(config.projects[0]?.use.launchOptions);
  try {
    const page = await browser.newPage({ baseURL: variable("E2E_URL") });
    await page.goto("/sign-in");
    await fillSignIn(page, { email: sample.email(), password: sample.password() });
    await page.waitForURL("**/overview");
    await page.context().storageState({ path: session });
  } finally {
    await browser.close();
  }
}
