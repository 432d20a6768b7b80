import { expect, type Page, test } from "@playwright/test";

/** How long the second response takes, so that Enter comes before it. */
const SLOW_MS = 1_500;

/** Responds to each search with one source that has the searched text as its title. */
async function respondTo(page: Page, ids: Record<string, string>): Promise<void> {
  await page.route("**/find?*", async (route) => {
    const text = new URL(route.request().url()).searchParams.get("q") ?? "";
    if (text === Object.keys(ids)[1]) await page.waitForTimeout(SLOW_MS);
    const source = { id: ids[text], title: text, sourceId: text, sourceType: "document", category: "general" };
    const data = { requests: [], sources: ids[text] ? [source] : [], keys: [], testQuestions: [] };
    await route.fulfill({ json: { ok: true, data } });
  });
}

async function openFind(page: Page): Promise<void> {
  await page.goto("/overview");
  // the page listens once its scripts run
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

test("Enter opens what the typed text finds, not what the text before it found", async ({ page }) => {
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await respondTo(page, { zorb: first, zorblax: second });
  await openFind(page);
  await page.getByRole("combobox").fill("zorb");
  await expect(page.getByRole("option", { name: "zorb" })).toBeVisible();
  await page.getByRole("combobox").fill("zorblax");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/knowledge\/[0-9a-f-]{36}/);
  expect(page.url()).toContain(second);
});

test("says that nothing was found only once the response is there", async ({ page }) => {
  const asked = Promise.withResolvers<void>();
  const respond = Promise.withResolvers<void>();
  await page.route("**/find?*", async (route) => {
    asked.resolve();
    await respond.promise;
    await route.fulfill({ json: { ok: true, data: { requests: [], sources: [], keys: [], testQuestions: [] } } });
  });
  await openFind(page);
  await page.getByRole("combobox").fill("zorb");
  await asked.promise;
  await expect(page.getByRole("option")).toHaveCount(0);
  const status = page.getByRole("dialog", { name: "Find" }).getByRole("status");
  await expect(status).toBeEmpty();
  respond.resolve();
  await expect(status).toHaveText("Nothing found.");
});

test("Ctrl+K opens nothing over a dialog", async ({ page }) => {
  await openFind(page);
  await page.keyboard.press("Escape");
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("kept");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("kept");
  await expect(page.getByRole("combobox", { name: /request ID/ })).toHaveCount(0);
});

test("Enter that confirms a word of an input method neither opens a result nor adds a tag", async ({ page }) => {
  const composing = { key: "Enter", isComposing: true, bubbles: true, cancelable: true };
  await respondTo(page, { zorb: crypto.randomUUID() });
  await openFind(page);
  await page.getByRole("combobox").fill("zorb");
  await expect(page.getByRole("option", { name: "zorb" })).toBeVisible();
  await page.getByRole("combobox").dispatchEvent("keydown", composing);
  await expect(page.getByRole("combobox")).toHaveValue("zorb");
  expect(new URL(page.url()).pathname).toBe("/overview");

  await page.goto("/knowledge/add");
  const field = page.getByRole("tabpanel", { name: "Files" }).getByLabel("Audience");
  await field.pressSequentially("zorb");
  await field.dispatchEvent("keydown", composing);
  await expect(field).toHaveValue("zorb");
  await field.press("Enter");
  await expect(page.getByRole("button", { name: "Remove zorb" })).toBeVisible();
});
