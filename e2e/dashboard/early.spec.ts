import type { Page } from "@playwright/test";
import { HOUR_MS } from "../../lib/durations.ts";
import { sampleCompany } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

/** Opens a page whose scripts load only when the returned function is called, as on a slow connection. */
async function openEarly(page: Page, path: string): Promise<() => void> {
  const scripts = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return scripts.resolve;
}

test("text typed before the scripts load is kept, and no form is submitted until then", async ({ page }) => {
  const loadScripts = await openEarly(page, "/knowledge/add?tab=question");
  const question = page.getByLabel("Question", { exact: true });
  await question.fill("Who was early?");
  await question.press("Enter");
  await expect(page.getByRole("button", { name: "Add question" })).toBeDisabled();
  loadScripts();
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Must not be empty")).toHaveCount(1);
  await expect(question).toHaveValue("Who was early?");
  await expect(page).toHaveURL("/knowledge/add?tab=question");
});

test("a search typed before the scripts load is run", async ({ page }) => {
  const loadScripts = await openEarly(page, "/knowledge");
  await page.getByLabel("Search sources").fill("no such source at all");
  loadScripts();
  await expect(page.getByText("No sources match.")).toBeVisible();
  await expect(page).toHaveURL(/q=no\+such\+source/);
});

test("a question typed before the scripts load can be asked", async ({ page }) => {
  const loadScripts = await openEarly(page, "/playground");
  await page.getByLabel("Question").fill("How do I cancel?");
  await page.getByLabel("Limit").fill("3");
  loadScripts();
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("region", { name: "Results" }).getByRole("status").first()).toHaveText(/^3 results in/);
});

test("text typed into several label fields before the scripts load is kept", async ({ page }) => {
  const loadScripts = await openEarly(page, "/knowledge/add");
  await page.getByLabel("Category").fill("geology");
  await page.getByLabel("Path").fill("Quarries / North");
  loadScripts();
  await expect(page.getByText("Drop files or folders here")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Text", exact: true })).toBeEnabled();
  await expect(page.getByLabel("Category")).toHaveValue("geology");
  await expect(page.getByLabel("Path")).toHaveValue("Quarries / North");
  await page.getByRole("tab", { name: "Text", exact: true }).click();
  await page.getByLabel("Title").fill("Half written");
  await page.getByRole("tab", { name: "Files" }).click();
  await expect(page.getByLabel("Category").first()).toHaveValue("geology");
  await page.getByRole("tab", { name: "Text", exact: true }).click();
  await expect(page.getByLabel("Title")).toHaveValue("Half written");
});

test("labels typed before a tab's own scripts load survive a switch to another tab", async ({ page }) => {
  const tabScripts = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("These labels apply to the files you add next.")) await tabScripts.promise;
    await route.fulfill({ response });
  });
  await page.goto("/knowledge/add", { waitUntil: "commit" });
  await page.getByLabel("Category").fill("geology");
  const text = page.getByRole("tab", { name: "Text", exact: true });
  await expect(page.getByRole("button", { name: "Your account" })).toBeEnabled();
  await expect(text).toBeDisabled();
  tabScripts.resolve();
  await text.click();
  await page.getByLabel("Title").fill("Half written");
  await page.getByRole("tab", { name: "Files" }).click();
  await expect(page.getByLabel("Category").first()).toHaveValue("geology");
  // the page may still be loading scripts of other tabs
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("files chosen before the scripts load get the labels typed before them", async ({ page }) => {
  const loadScripts = await openEarly(page, "/knowledge/add");
  await page.getByLabel("Category").fill("travertine");
  await page.getByLabel("Audience").fill("masons");
  await page.getByLabel("Audience").press("Enter");
  const file = { name: "travertine.txt", mimeType: "text/plain", buffer: Buffer.from("Travertine is porous.") };
  await page.locator("input[type=file]").first().setInputFiles(file);
  loadScripts();
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  await page.goto("/knowledge?category=travertine&audience=masons");
  await expect(page.getByRole("link", { name: "travertine.txt" })).toBeVisible();
});

test("a tag typed before the scripts load is added once its field is left", async ({ page }) => {
  const loadScripts = await openEarly(page, "/knowledge/add");
  await page.getByLabel("Audience").fill("masons");
  await page.getByLabel("Path").fill("Quarries");
  loadScripts();
  await expect(page.getByRole("button", { name: "Remove masons" })).toBeVisible();
});

test("text typed on while the scripts start is kept", async ({ page }) => {
  await page.clock.install();
  const loadScripts = await openEarly(page, "/knowledge/add");
  await page.getByLabel("Category").fill("geology");
  await page.getByLabel("Path").fill("Quarries / Nor");
  // no timer of the scripts runs until the text is complete
  await page.clock.pauseAt(Date.now() + HOUR_MS);
  loadScripts();
  await expect(page.getByRole("tab", { name: "Text", exact: true })).toBeEnabled();
  await page.getByLabel("Path").pressSequentially("th");
  await page.clock.resume();
  await page.getByRole("tab", { name: "Text", exact: true }).click();
  await page.getByRole("tab", { name: "Files" }).click();
  await expect(page.getByLabel("Path").first()).toHaveValue("Quarries / North");
  await expect(page.getByLabel("Category").first()).toHaveValue("geology");
});

test("a tag typed without Enter counts for files that are chosen after it", async ({ page }) => {
  await page.goto("/knowledge/add");
  await expect(page.getByRole("tab", { name: "Text", exact: true })).toBeEnabled();
  await page.getByLabel("Audience").fill("drillers");
  const file = { name: "drilling.txt", mimeType: "text/plain", buffer: Buffer.from("Drill slowly.") };
  await page.locator("input[type=file]").first().setInputFiles(file);
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  await page.goto("/knowledge?audience=drillers");
  await expect(page.getByRole("link", { name: "drilling.txt" })).toBeVisible();
});

test("a form says so if its validation cannot be loaded", async ({ page }) => {
  await page.goto("/settings/profile");
  await expect(page.getByRole("button", { name: "Save" }).first()).toBeEnabled();
  await page.route("**/*.js", (route) => route.abort());
  await page.getByLabel("Name", { exact: true }).fill("Never saved");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText("A part of this page could not be loaded.")).toBeVisible();
});

test("a field's value can be selected before the scripts load, and replaced after", async ({ visit }) => {
  const page = await visit(await createPerson(await sampleCompany(), "support", "Early Bird"));
  const loadScripts = await openEarly(page, "/settings/profile");
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toHaveValue("Early Bird");
  await name.selectText();
  loadScripts();
  await expect(page.getByRole("button", { name: "Save" }).first()).toBeEnabled();
  await page.keyboard.type("Late Owl");
  await expect(name).toHaveValue("Late Owl");
});
