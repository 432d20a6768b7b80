import { randomUUID } from "node:crypto";
import { ragstone, sample, sampleCompany } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

test("an admin of the sample can create, rename and delete a company", async ({ visit }) => {
  const page = await visit(await createPerson(await sampleCompany(), "admin", "Mara Maker"));
  await page.getByRole("button", { name: "Create my company" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Marble Works");
  await dialog.getByRole("button", { name: "Create company" }).click();
  await expect(page.getByRole("button", { name: "Company: Marble Works" })).toBeVisible();

  await page.goto("/settings/company");
  await page.getByLabel("Name", { exact: true }).fill("Marble & Sons");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByRole("button", { name: "Company: Marble & Sons" })).toBeVisible();
  await page.getByRole("button", { name: "Delete the company" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Delete the company" })).toBeDisabled();
  await question.getByLabel("Type Marble & Sons to confirm").fill("Marble & Sons");
  await question.getByRole("button", { name: "Delete the company" }).click();
  await expect(page.getByRole("button", { name: `Company: ${sample.company}` })).toBeVisible();
  const names = Object(await ragstone("company", "list")).map(({ name }: { name: string }) => name);
  expect(names).not.toContain("Marble & Sons");
});

test("keeping requests for fewer days asks first, because it deletes older ones", async ({ visit }) => {
  const { id } = Object(await ragstone("company", "create", "--name", `Log ${randomUUID().slice(0, 8)}`));
  const page = await visit(await createPerson(id, "admin", "Lou Logg"));
  await page.goto("/settings/company");
  const form = page.locator("form").filter({ hasText: "Knowledge and queries" });
  const days = form.getByLabel("Days to keep requests in the log");
  const question = page.getByRole("alertdialog", { name: "Delete older requests?" });
  const save = async (value: string) => {
    await days.fill(value);
    await form.getByRole("button", { name: "Save" }).click();
  };
  await save("7");
  await expect(question).toContainText("Requests older than 7 days are deleted");
  await question.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await expect(days).toHaveValue("30");
  await save("7");
  await question.getByRole("button", { name: "Save and delete requests" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await page.reload();
  await expect(days).toHaveValue("7");
  await save("0");
  await expect(form.getByText("Must be at least 1")).toBeVisible();
  await save("30");
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(question).toHaveCount(0);

  // fewer days than another page has saved since: this page cannot know that it had to ask
  const later = await page.context().newPage();
  await later.goto("/settings/company");
  await later.getByLabel("Days to keep requests in the log").fill("3650");
  await later
    .locator("form")
    .filter({ hasText: "Knowledge and queries" })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(later.getByText("Settings saved")).toBeVisible();
  await save("60");
  await expect(form.getByText("The number of days to keep requests has changed. Reload the page.")).toBeVisible();
  // what the other page has saved is shown once this one saves
  await save("30");
  await expect(days).toHaveValue("3650");
});
