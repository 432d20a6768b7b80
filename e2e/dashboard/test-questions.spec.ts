import { randomUUID } from "node:crypto";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, test } from "../people.ts";

test("a question from a request fails after a change, names the version, and passes again once it is restored", async ({
  visit,
}) => {
  const name = `Proof ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const { token } = Object(await ragstone("key", "create", "--company", company, "--name", "Bot"));
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));

  await page.goto("/test-questions");
  await expect(page.getByRole("heading", { name: "No test questions" })).toBeVisible();
  await page.goto("/knowledge/add?tab=question&question=What+does+a+visit+cost%3F");
  await page.getByLabel("Answer", { exact: true }).fill("A visit costs 14 euros.");
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });
  const source = page.url();

  const body = { queryText: "What does a visit cost?", returnMode: "ai_generated_answer" } as const;
  const { requestId } = await api.retrieve(token, body);
  await page.goto(`/usage/requests/${requestId}`);
  await page.getByRole("button", { name: "Add test question" }).click();
  const form = page.getByRole("dialog", { name: "Add test question" });
  await expect(form.getByLabel("Question", { exact: true })).toHaveValue("What does a visit cost?");
  await expect(form.getByLabel("Source that must be found")).not.toHaveValue("");
  await form.getByLabel("Facts that the answer must state").fill("14 euros | €14");
  await form.getByRole("button", { name: "Add test question" }).click();
  await expect(form).toBeHidden();

  const row = page.getByRole("row", { name: "What does a visit cost?" });
  const run = async (state: string) => {
    await page.goto("/test-questions");
    await page.getByRole("button", { name: "Run now" }).click();
    await expect(row.getByText(state, { exact: true })).toBeVisible({ timeout: 60_000 });
  };
  await run("Passed");

  await page.goto(`${source}?edit=true`);
  await page.getByLabel("Answer", { exact: true }).fill("A visit costs 20 euros.");
  await page.getByRole("button", { name: "Save version" }).click();
  await expect(page.getByText("A visit costs 20 euros.").first()).toBeVisible({ timeout: 60_000 });
  await run("Failed");
  await expect(row.getByText("The answer does not state the fact.")).toBeVisible();
  await expect(row.getByText("version 2 by Ada Marl")).toBeVisible();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }

  await row.getByRole("link", { name: "What does a visit cost?" }).click();
  await page.waitForURL("**/versions/2");
  await page.goto(page.url().replace("/versions/2", "/versions/1"));
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByText("A visit costs 14 euros.").first()).toBeVisible({ timeout: 60_000 });
  await run("Passed");

  const support = await visit(await createPerson(company, "support", "Sara Support"));
  await support.goto("/test-questions");
  await expect(support.getByRole("button", { name: "Run now" })).toBeVisible();
  await expect(support.getByRole("button", { name: "Add test question" })).toBeHidden();

  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete test question" }).click();
  await expect(page.getByRole("heading", { name: "No test questions" })).toBeVisible();
});
