import type { Page } from "@playwright/test";
import { sampleCompany } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

/** Opens a page whose scripts come when the returned function says so, as over a slow line. */
async function openEarly(page: Page, path: string): Promise<() => void> {
  const scripts = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return scripts.resolve;
}

test("what is typed early stays, and nothing is sent before the scripts are there", async ({ page }) => {
  const bringScripts = await openEarly(page, "/knowledge/add?tab=question");
  const question = page.getByLabel("Question", { exact: true });
  await question.fill("Who was early?");
  await question.press("Enter");
  await expect(page.getByRole("button", { name: "Add question" })).toBeDisabled();
  bringScripts();
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Must not be empty")).toHaveCount(1);
  await expect(question).toHaveValue("Who was early?");
  await expect(page).toHaveURL("/knowledge/add?tab=question");
});

test("a search that is typed early is made", async ({ page }) => {
  const bringScripts = await openEarly(page, "/knowledge");
  await page.getByLabel("Search sources").fill("no such source at all");
  bringScripts();
  await expect(page.getByText("No sources match.")).toBeVisible();
  await expect(page).toHaveURL(/q=no\+such\+source/);
});

test("a question that is typed early can be asked", async ({ page }) => {
  const bringScripts = await openEarly(page, "/playground");
  await page.getByLabel("Question").fill("How do I cancel?");
  await page.getByLabel("Limit").fill("3");
  bringScripts();
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("region", { name: "Results" }).getByRole("status").first()).toHaveText(/^3 results in/);
});

test("early words in several labels all stay", async ({ page }) => {
  const bringScripts = await openEarly(page, "/knowledge/add");
  await page.getByLabel("Category").fill("geology");
  await page.getByLabel("Path").fill("Quarries / North");
  bringScripts();
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

test("a form whose checks cannot be loaded says so", async ({ page }) => {
  await page.goto("/settings/profile");
  await expect(page.getByRole("button", { name: "Save" }).first()).toBeEnabled();
  await page.route("**/*.js", (route) => route.abort());
  await page.getByLabel("Name", { exact: true }).fill("Never saved");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText("A part of this page could not be loaded.")).toBeVisible();
});

test("a value that waits in a field can be chosen and replaced early", async ({ visit }) => {
  const page = await visit(await createPerson(await sampleCompany(), "support", "Early Bird"));
  const bringScripts = await openEarly(page, "/settings/profile");
  const name = page.getByLabel("Name", { exact: true });
  await expect(name).toHaveValue("Early Bird");
  await name.selectText();
  bringScripts();
  await expect(page.getByRole("button", { name: "Save" }).first()).toBeEnabled();
  await page.keyboard.type("Late Owl");
  await expect(name).toHaveValue("Late Owl");
});
