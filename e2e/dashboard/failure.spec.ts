import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { lockHolder } from "../../lib/db/embedded/lock.ts";
import { socketPath } from "../../lib/db/embedded/socket.ts";
import { variable } from "../fixtures.ts";
import { expect, test } from "../people.ts";
import { logOf } from "../server.ts";

/** Lets a database hang, as one does whose disk has gone. */
async function whileItHangs(work: () => Promise<void>): Promise<void> {
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

/** The page says which request failed, and the log has it. */
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

test("a page that fails names its request, as the log does, and comes back on a second try", async ({ page }) => {
  await page.goto("/overview");
  await whileItHangs(async () => {
    await page.getByRole("link", { name: "Members" }).click();
    await failedRequest(page);
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Members", level: 1 })).toBeVisible();

  await whileItHangs(async () => {
    const response = await page.goto("/settings/members");
    expect(await failedRequest(page)).toBe(await response?.headerValue("x-request-id"));
  });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Members", level: 1 })).toBeVisible();
});
