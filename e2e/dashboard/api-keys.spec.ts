import { expect, type Locator, type Page, test } from "@playwright/test";
import { api, sample } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { choose, createKey, row, save, shownToken } from "../key-table.ts";

const QUESTION = { queryText: "How do I cancel my broadband contract?", limit: 20 };
const MASKED = /ragstone_live_\*{12}[0-9A-Za-z]{4}/;

test("a new key is shown once, and can be copied, tested and used", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/settings/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page).toHaveURL(/create=1/);
  const token = await createKey(page, "Website chatbot", async (dialog) => {
    await expect(dialog.getByText(/^Works until \d/)).toBeVisible();
    await dialog.getByLabel("Expires").selectOption("Never");
    await expect(dialog.getByText("The key works until someone revokes it.")).toBeVisible();
  });

  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await expect(dialog.getByText(`-H "Authorization: Bearer ${token}"`)).toBeVisible();
  await dialog.getByRole("button", { name: "Test" }).click();
  await expect(dialog.getByText("The API accepts this key")).toBeVisible();
  await checkLook(page);

  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await save(page);

  await expect(row(page, "Website chatbot")).toContainText(MASKED);
  await expect(row(page, "Website chatbot")).toContainText(token.slice(-4));
  expect((await api.retrieve(token, QUESTION)).status).toBe(200);
  await page.reload();
  expect(await page.content()).not.toContain(token);
  expect(await (await page.request.get("/settings/api-keys", { headers: { RSC: "1" } })).text()).not.toContain(token);
});

test("a key with a last day expires at the end of the day in UTC, in every time zone", async ({ page }) => {
  await createKey(page, "Until a day", async (dialog) => {
    await dialog.getByLabel("Expires").selectOption("On a date");
    await dialog.getByLabel("Last day", { exact: true }).fill("31 Dec 2999");
    await expect(dialog.getByText("Works until 31 Dec 2999, 23:59 UTC")).toBeVisible();
  });
  await save(page);
  const expiry = row(page, "Until a day").locator('time[datetime="2999-12-31T23:59:59.000Z"]');
  // the browser is in Rome
  await expect(expiry).toHaveAttribute("title", "31 Dec 2999, 23:59 UTC (your time: 1 Jan 3000, 00:59 CET)");
  await row(page, "Until a day").getByRole("link", { name: "Until a day" }).click();
  await expect(page.getByText("31 Dec 2999, 23:59 UTC", { exact: true })).toBeVisible();
});

test("copying works without the clipboard API, as on plain HTTP", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    const kept = navigator.clipboard;
    Object.defineProperty(window, "keptClipboard", { value: kept });
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  const token = await createKey(page, "Copied by selection");
  await page.getByRole("button", { name: "Copy key" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate("window.keptClipboard.readText()")).toBe(token);
  await save(page);
});

test("the browser asks before leaving a key that was not saved", async ({ page }) => {
  await createKey(page, "Left behind");
  const asked = page.waitForEvent("dialog");
  const leaving = page.goto("/overview").catch(() => undefined);
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await leaving;
  await expect(page.getByLabel("Key “Left behind”")).toBeVisible();
  await save(page);
});

test("the dialog cannot be closed while the key is being created", async ({ page }) => {
  await createKey(page, "Slow line");
  await save(page);
  const answer = Promise.withResolvers<void>();
  await page.route("**/settings/api-keys**", async (route) => {
    if (route.request().method() === "POST") await answer.promise;
    await route.continue();
  });
  await choose(page, "Slow line", "Rotate");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  answer.resolve();
  expect(await shownToken(dialog, "Slow line")).toMatch(/^ragstone_live_/);
  await save(page);
});

test("a policy limits a key's results, and the key's page describes it", async ({ page }) => {
  const token = await createKey(page, "Documents for contracts", async (dialog) => {
    await dialog.getByRole("radio", { name: "Restricted" }).click();
    await dialog.getByLabel("Path").fill("Policies / Contract");
    await dialog.getByLabel("Source types").selectOption("Documents only");
    await dialog.getByLabel("Maximum results per request").fill("3");
    await dialog.getByRole("switch", { name: "AI answers" }).click();
    await expect(dialog.getByText("Only sources below Policies / Contract.")).toBeVisible();
  });
  await save(page);

  const everything = await api.retrieve(sample.token(), QUESTION);
  const narrowed = await api.retrieve(token, QUESTION);
  expect(everything.body.total).toBeGreaterThan(3);
  expect(narrowed.body.total).toBeGreaterThan(0);
  expect(narrowed.body.total).toBeLessThanOrEqual(3);
  for (const { payload } of Object(narrowed.body.results)) {
    expect(payload.sourceType).toBe("document");
    expect(payload.path.slice(0, 2)).toEqual(["Policies", "Contract"]);
  }
  const refused = await api.retrieve(token, { ...QUESTION, returnMode: "ai_generated_answer" });
  expect(refused.status).toBe(403);

  await row(page, "Documents for contracts").getByRole("link", { name: "Documents for contracts" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Documents for contracts" })).toBeVisible();
  await expect(page.getByText("No AI answers, chunks only.")).toBeVisible();
  await page.getByRole("link", { name: "Errors" }).click();
  await expect(page.getByRole("button", { name: `Copy request ID ${refused.requestId}` })).toBeVisible();
  await expect(page.getByText(/^Forbidden: This API key does not allow AI answers/)).toBeVisible();
  await expect(page.getByRole("button", { name: `Copy request ID ${narrowed.requestId}` })).toBeHidden();
});

test("the page of a key counts its calls that manage knowledge, which are not among its requests", async ({ page }) => {
  const token = await createKey(page, "Importer", (dialog) => dialog.getByLabel("Manage knowledge").check());
  await save(page);
  const headers = { Authorization: `Bearer ${token}` };
  expect((await page.request.get("/v1/api/sources", { headers })).status()).toBe(200);
  await row(page, "Importer").getByRole("link", { name: "Importer" }).click();
  const calls = page.getByRole("region", { name: "Calls that manage knowledge" });
  await expect(calls.getByRole("row", { name: "Management API 1 0" })).toBeVisible();
  await expect(page.getByText(/^No questions or refused calls yet\..* are only counted, not listed\.$/)).toBeVisible();
});

test("a key can be restricted, and cannot get more access", async ({ page }) => {
  const token = await createKey(page, "Restricted later");
  await save(page);
  await row(page, "Restricted later").getByRole("link", { name: "Restricted later" }).click();
  await expect(page.getByText(/^No questions or refused calls yet\..* a moment after they are made\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Restrict", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Restricted" }).click();
  await dialog.getByLabel("Maximum results per request").fill("2");
  await dialog.getByRole("button", { name: "Restrict key" }).click();
  // the dialog describes the new access before it is saved
  await expect(dialog).toBeHidden();
  await expect(page.getByText("At most 2 results per request.")).toBeVisible();
  expect((await api.retrieve(token, QUESTION)).body.total).toBe(2);

  await page.getByRole("button", { name: "Restrict", exact: true }).click();
  await dialog.getByRole("button", { name: "Restrict key" }).click();
  await expect(dialog.getByText(/already has exactly this access/)).toBeVisible();
  await dialog.getByLabel("Maximum results per request").fill("9");
  await dialog.getByRole("button", { name: "Restrict key" }).click();
  await expect(dialog.getByText("Must not allow more than the key's policy.")).toBeVisible();
});

test("a key can be created, renamed and revoked with the keyboard, and focus returns", async ({ page }) => {
  const name = `By keyboard ${Date.now()}`;
  await createKey(page, `Stays after ${name}`);
  await save(page);
  await page.goto("/settings/api-keys");
  const create = page.getByRole("button", { name: "Create key" });
  await expect(create).toBeEnabled();
  await create.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog").getByLabel("Name")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Must not be empty")).toBeVisible();
  await page.keyboard.type(name);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel(`Key “${name}”`)).toBeFocused();
  await page.getByRole("button", { name: "I saved the key" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL(/\/api-keys$/);

  const menu = page.getByRole("button", { name: `Actions for ${name}` });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Requests and details" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Name").fill(`${name}, renamed`);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();

  const renamed = page.getByRole("button", { name: `Actions for ${name}, renamed` });
  await askToRevoke(page, renamed);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await askToRevoke(page, renamed);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(renamed).toBeHidden();
  // the row and its button are gone, so the button of the next row gets the focus and keeps it
  await expect(page.getByRole("button", { name: /^Actions for/ }).and(page.locator(":focus"))).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Requests and details" })).toBeFocused();

  // the key's page removes its buttons, so the title gets the focus
  await page.keyboard.press("Enter");
  const title = page.getByRole("heading", { level: 1, name: `Stays after ${name}` });
  await expect(title).toBeVisible();
  const revoke = page.getByRole("button", { name: "Revoke" });
  await expect(revoke).toBeEnabled();
  await revoke.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke key" }).focus();
  await page.keyboard.press("Enter");
  await expect(revoke).toBeHidden();
  await expect(title).toBeFocused();

  await page.goto(`/settings/api-keys?${new URLSearchParams({ q: name })}`);
  await expect(page.getByText("No active key matches.")).toBeVisible();
  await expect(page.getByText("2 expired or revoked keys")).toBeVisible();
});

/** Opens the revoke dialog with the keyboard. The menu's button must have the focus. */
async function askToRevoke(page: Page, menu: Locator): Promise<void> {
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Requests and details" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("menuitem", { name: "Revoke" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog").getByRole("button", { name: "Cancel" })).toBeFocused();
}

test("the dialog of a new key has no accessibility violations and fits a phone", async ({ page }) => {
  await page.goto("/settings/api-keys?create=1");
  await page.getByRole("radio", { name: "Restricted" }).click();
  await checkLook(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await checkLook(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await checkLook(page);
  await page.emulateMedia({ colorScheme: "light" });
  await checkLook(page);
});
