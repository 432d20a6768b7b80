import { randomUUID } from "node:crypto";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, test } from "../people.ts";

test("an admin tries settings on the test questions, saves them, and restores the defaults", async ({ visit }) => {
  const name = `Tuned ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const { token } = Object(await ragstone("key", "create", "--company", company, "--name", "Bot"));
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));

  await page.goto("/settings/retrieval");
  await expect(page.getByText("Your company has no test questions")).toBeVisible();
  await page.goto("/test-questions");
  await page.getByRole("button", { name: "Add test question" }).click();
  const dialog = page.getByRole("dialog", { name: "Add test question" });
  await dialog.getByLabel("Question", { exact: true }).fill("Who walked on the moon?");
  await dialog.getByLabel("Must be refused").click();
  await dialog.getByRole("button", { name: "Add test question" }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/settings/retrieval");
  await page.getByLabel("Refusal text").fill("Call 555.");
  await page.getByRole("button", { name: "Try on the test questions" }).click();
  await expect(page.getByRole("heading", { name: "No test question changes" })).toBeVisible({ timeout: 30_000 });
  const trials = page.getByRole("table", { name: "Trials of settings on the test questions" });
  await expect(trials.getByText("Refusal text: standard → “Call 555.”")).toBeVisible();
  await page.reload();
  await expect(trials.getByText("Ada Marl").first()).toBeAttached();
  await page.getByLabel("Refusal text").fill("Call 555.");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  const body = { queryText: "Who walked on the moon?", returnMode: "ai_generated_answer" } as const;
  expect((await api.retrieve(token, body)).body.aiGeneratedAnswer).toBe("Call 555.");
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByText("refusal text: standard → “Call 555.”")).toBeVisible();

  await page.goto("/settings/retrieval");
  await page.getByRole("button", { name: "Restore the defaults" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore the defaults" }).click();
  await expect(page.getByText("The saved settings are Ragstone's defaults.")).toBeVisible();
});
