import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import { lockHolder } from "../../lib/folder-lock.mjs";
import { variable } from "../fixtures.ts";
import { expect, test } from "../people.ts";
import { logOf } from "../server.ts";

/** Suspends the database, which then hangs as if its disk had failed. */
async function whileDatabaseHangs(work: () => Promise<void>): Promise<void> {
  const folder = variable("E2E_DATA_DIR");
  const pid = await lockHolder(folder, socketPath(folder));
  if (!pid) throw new Error("The embedded database does not run");
  process.kill(pid, "SIGSTOP");
  try {
    await work();
  } finally {
    process.kill(pid, "SIGCONT");
  }
}

/** Returns the request id that the error page shows, once the log contains it. */
async function failedRequest(page: Page): Promise<string> {
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible({ timeout: 30_000 });
  const id = await page.getByRole("alert").locator("code").innerText();
  const logged = () =>
    readFileSync(logOf(variable("E2E_DATA_DIR")), "utf8")
      .split("\n")
      .filter((line) => line.includes(id));
  await expect.poll(logged).toEqual([expect.stringContaining('"msg":"page failed"')]);
  return id;
}

test("a failed page shows its request id, which the log contains, and works after a retry", async ({ page }) => {
  await page.goto("/overview");
  await whileDatabaseHangs(async () => {
    await page.getByRole("link", { name: "Members" }).click();
    await failedRequest(page);
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Members", level: 1 })).toBeVisible();

  await whileDatabaseHangs(async () => {
    const response = await page.goto("/settings/members");
    expect(await failedRequest(page)).toBe(await response?.headerValue("x-request-id"));
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Members", level: 1 })).toBeVisible();
});
