import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, test } from "../people.ts";

const ASKED = { queryText: "What does a visit cost?", returnMode: "ai_generated_answer" } as const;

async function newCompany(): Promise<{ company: string; token: string }> {
  const name = `Proof ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const { token } = Object(await ragstone("key", "create", "--company", company, "--name", "Bot"));
  return { company, token };
}

/** @returns the URL of its page */
async function addQuestion(page: Page, answer: string): Promise<string> {
  await page.goto("/knowledge/add?tab=question&question=What+does+a+visit+cost%3F");
  await page.getByLabel("Answer", { exact: true }).fill(answer);
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });
  return page.url();
}

test("a wrong answer is fixed and proven, a later change breaks it, and the restored version passes again", async ({
  visit,
}) => {
  const { company, token } = await newCompany();
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));

  await page.goto("/test-questions");
  await expect(page.getByRole("heading", { name: "No test questions" })).toBeVisible();
  const source = await addQuestion(page, "A visit costs 12 euros.");
  // the page shows a version before requests get it
  const served = (answer: string) =>
    expect
      .poll(async () => (await api.retrieve(token, ASKED)).body.aiGeneratedAnswer, { timeout: 60_000 })
      .toContain(answer);
  const save = async (answer: string) => {
    await page.getByLabel("Answer", { exact: true }).fill(answer);
    await page.getByRole("button", { name: "Save version" }).click();
    await expect(page.getByText(answer).first()).toBeVisible({ timeout: 60_000 });
    await served(answer);
  };
  const { requestId: wrong } = await api.retrieve(token, ASKED);
  await page.goto(`/usage/requests/${wrong}`);
  await page.getByRole("link", { name: "Fix answer" }).click();
  await save("A visit costs 14 euros.");
  await page.goto(`/usage/requests/${wrong}`);
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.waitForURL("**/compare/**");
  await expect(page.locator("del")).toHaveText("12");
  await expect(page.locator("ins")).toHaveText("14");

  const { requestId } = await api.retrieve(token, ASKED);
  await page.goto(`/usage/requests/${requestId}`);
  await page.getByRole("button", { name: "Add test question" }).click();
  const form = page.getByRole("dialog", { name: "Add test question" });
  await expect(form.getByLabel("Question", { exact: true })).toHaveValue("What does a visit cost?");
  await expect(form.getByLabel("Source that must be found")).not.toHaveValue("");
  await expect(form.getByText("What does a visit cost? · Q&A · general")).toBeVisible();
  await form.getByLabel("Facts that the answer must state").fill(`14 euros\n${"long ".repeat(101)}`);
  await form.getByRole("button", { name: "Add test question" }).click();
  await expect(form.getByText("Must have at most 500 characters")).toBeVisible();
  await form.getByLabel("Facts that the answer must state").fill("14 euros | €14");
  await form.getByRole("button", { name: "Add test question" }).click();
  await expect(form).toBeHidden();

  const row = page.getByRole("row", { name: "What does a visit cost?" });
  const run = async (state: string) => {
    await page.goto("/test-questions");
    await page.getByRole("button", { name: "Run now" }).click();
    await expect(row.getByText(state, { exact: true }).filter({ visible: true })).toBeVisible({ timeout: 60_000 });
  };
  await run("Passed");
  await expect(row.getByText("Finds “What does a visit cost?”")).toBeVisible();

  await page.goto(`${source}?edit=true`);
  await save("A visit costs 20 euros.");
  await run("Failed");
  await expect(row.getByText("The answer does not state the fact.")).toBeVisible();
  await expect(row.getByText("version 3 by Ada Marl")).toBeVisible();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }

  await row.getByRole("link", { name: "What does a visit cost?" }).click();
  await page.waitForURL("**/versions/3");
  await page.goto(page.url().replace("/versions/3", "/versions/2"));
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByText("A visit costs 14 euros.").first()).toBeVisible({ timeout: 60_000 });
  await served("A visit costs 14 euros.");
  await run("Passed");

  await page.goto("/test-questions");
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete test question" }).click();
  await expect(page.getByRole("heading", { name: "No test questions" })).toBeVisible();
});

test("a verified answer is returned word for word, and says who verified it", async ({ visit }) => {
  const { company, token } = await newCompany();
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));
  const source = await addQuestion(page, "A visit costs 14 euros.");
  await page.getByRole("button", { name: "Verify answer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Valid until" }).fill("2020-01-31");
  await expect(dialog.getByRole("button", { name: "Verify answer" })).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Valid until" }).fill("");
  await checkLook(page);
  await dialog.getByRole("button", { name: "Verify answer" }).click();
  await expect(page.getByText("Verified by Ada Marl")).toBeVisible();
  const verified = await api.retrieve(token, { ...ASKED, queryText: "what does the visit cost" });
  expect(verified.body.aiGeneratedAnswer).toBe("A visit costs 14 euros. [1]");
  await page.goto(`/usage/requests/${verified.requestId}`);
  await expect(page.getByText("Answer verified by Ada Marl.")).toBeVisible();
  await page.goto(`${source}?edit=true`);
  await expect(page.getByText("This answer is verified.")).toBeVisible();
});

test("at most 200 answers are verified together, and the form says so", async ({ visit }) => {
  const { company } = await newCompany();
  const file = test.info().outputPath("visits.jsonl");
  const questions = Array.from({ length: 201 }, (_, index) => ({
    ...{ sourceType: "qa", question: `What does visit ${index} cost?`, answer: `Visit ${index} costs 14 euros.` },
  }));
  writeFileSync(file, questions.map((question) => JSON.stringify(question)).join("\n"));
  await ragstone("ingest", "--company", company, file);
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));
  await page.goto("/knowledge?type=qa");
  await page.getByLabel("Select all on this page").click();
  await page.getByRole("button", { name: "Select all 201 that match" }).click();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Verify 201 answers" });
  await expect(dialog.getByText("At most 200 answers can be verified at a time. Select fewer.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Verify answers" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page
    .getByRole("checkbox", { name: /^Select What does visit/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Verify answers" }).click();
  await expect(page.getByText("200 answers verified")).toBeVisible();
});

test("support staff add a test question and delete it", async ({ visit }) => {
  const { company } = await newCompany();
  const support = await visit(await createPerson(company, "support", "Sara Support"));
  await support.goto("/test-questions");
  await support.getByRole("button", { name: "Add test question" }).first().click();
  const added = support.getByRole("dialog", { name: "Add test question" });
  await added.getByLabel("Question", { exact: true }).fill("Who landed on the moon?");
  await added.getByLabel("Must be refused").click();
  await added.getByRole("button", { name: "Add test question" }).click();
  await expect(added).toBeHidden();
  await expect(support.getByRole("button", { name: "Run now" })).toBeVisible();
  // the form stays, with what is typed, when its question leaves the list
  const actions = support.getByRole("button", { name: "Actions for Who landed on the moon?" });
  await support.getByRole("link", { name: "Failing" }).click();
  await expect(support.getByText("No matching test questions.")).toBeVisible();
  await support.goBack();
  await actions.click();
  await support.getByRole("menuitem", { name: "Edit" }).click();
  const edited = support.getByRole("dialog", { name: "Edit test question" });
  await edited.getByLabel("Question", { exact: true }).fill("Who landed first on the moon?");
  await support.goForward();
  await expect(support.getByText("No matching test questions.")).toBeVisible();
  await expect(edited.getByLabel("Question", { exact: true })).toHaveValue("Who landed first on the moon?");
  await support.keyboard.press("Escape");
  await support.getByRole("button", { name: "Keep editing" }).click();
  await edited.getByRole("button", { name: "Cancel" }).click();
  await support.getByRole("button", { name: "Discard changes" }).click();
  await expect(edited).toBeHidden();
  await support.goBack();
  await actions.click();
  await support.getByRole("menuitem", { name: "Delete" }).click();
  await support.getByRole("button", { name: "Delete test question" }).click();
  await expect(support.getByRole("heading", { name: "No test questions" })).toBeVisible();
});

test("a test question opens in the playground with its key and with the filters of its request", async ({ visit }) => {
  const { company, token } = await newCompany();
  const { requestId } = await api.retrieve(token, { ...ASKED, filters: { audience: "ai_agent", path: ["Prices"] } });
  const support = await visit(await createPerson(company, "support", "Petra Play"));
  await support.goto(`/usage/requests/${requestId}`);
  await support.getByRole("button", { name: "Add test question" }).click();
  const added = support.getByRole("dialog", { name: "Add test question" });
  await added.getByLabel("Must be refused").check();
  await added.getByRole("button", { name: "Add test question" }).click();
  await expect(added).toBeHidden();
  await support.goto("/test-questions");
  await support.getByRole("button", { name: /^Actions for/ }).click();
  await support.getByRole("menuitem", { name: "Open in playground" }).click();
  await expect(support.getByLabel("Question")).toHaveValue(ASKED.queryText);
  await support.getByText("Run as a key").click();
  await expect(support.getByLabel("Key", { exact: true }).locator("option:checked")).toHaveText("Bot");
  await support.locator("summary", { hasText: "Filters" }).click();
  await expect(support.getByLabel("Audience")).toHaveValue("ai_agent");
  await expect(support.getByLabel("Path")).toHaveValue("Prices");

  const [key] = Object(await ragstone("key", "list", "--company", company));
  await ragstone("key", "revoke", "--id", key.id);
  await support.reload();
  await expect(support.getByText("Edit the test question to choose another key.")).toBeVisible();
});

test("a corrected file can be imported under the same name", async ({ visit }) => {
  const { company } = await newCompany();
  const support = await visit(await createPerson(company, "support", "Ivo Import"));
  await support.goto("/test-questions");
  await support.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = support.getByRole("dialog", { name: "Import test questions" });
  const file = dialog.getByLabel("File", { exact: true });
  const choose = (text: string) =>
    file.setInputFiles({ name: "questions.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("query,facts\nWhich number?,+49 800 555 100\n");
  await expect(dialog.getByText("The file has no column “question”.")).toBeVisible();
  // the browser ignores the choice of a file that the field still has
  await expect(file).toHaveValue("");
  await choose("question,facts\nWhich number?,+49 800 555 100\n");
  await expect(dialog.getByText("1 test question added.")).toBeVisible();
});
