import { expect, test } from "@playwright/test";
import { api } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { choose, createKey, row, save, shownToken } from "../key-table.ts";

test("with an overlap, both keys work after rotation; the old key gets 401 once revoked", async ({ page }) => {
  const old = await createKey(page, "Rotated");
  await save(page);
  await choose(page, "Rotated", "Rotate");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: "24 more hours" })).toBeChecked();
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const replacement = await shownToken(dialog, "Rotated");
  await save(page);

  const replaced = row(page, "Rotated").filter({ hasText: "Being replaced" });
  await expect(replaced).toContainText(old.slice(-4));
  for (const token of [old, replacement]) expect((await api.status(token)).status).toBe(200);

  // the key was just used, so its name must be typed
  await page.reload();
  await replaced.getByRole("button", { name: "Actions for Rotated" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Revoke key" })).toBeDisabled();
  await checkLook(page);
  await question.getByLabel("Type Rotated to confirm").fill("Rotated");
  await question.getByRole("button", { name: "Revoke key" }).click();
  await expect(question).toBeHidden();
  await expect(replaced).toBeHidden();
  expect((await api.status(old)).status).toBe(401);
  expect((await api.status(replacement)).status).toBe(200);
  await page.getByText(/expired or revoked keys?/).click();
  await expect(row(page, "Rotated").filter({ hasText: "Revoked" })).toBeVisible();
});

test("without an overlap, the old key gets 401 right after rotation", async ({ page }) => {
  const old = await createKey(page, "Leaked");
  await save(page);
  await choose(page, "Leaked", "Rotate");
  await page.getByRole("radio", { name: "Stop immediately" }).click();
  await page.getByRole("button", { name: "Rotate key" }).click();
  const replacement = await shownToken(page.getByRole("dialog"), "Leaked");
  await save(page);
  expect((await api.status(old)).status).toBe(401);
  expect((await api.status(replacement)).status).toBe(200);
});
