import type { Page } from "@playwright/test";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, type Person, test } from "../people.ts";

/** Words that no other test on the same server uses. */
const PLACE = `Lime${Date.now()}`;
const QUESTION = `What does a tour of ${PLACE} cost?`;

let token: string;
let admin: Person;
let support: Person;

test.beforeAll(async () => {
  const { id } = Object(await ragstone("company", "create", "--name", PLACE));
  token = Object(await ragstone("key", "create", "--company", id, "--name", "Website")).token;
  admin = await createPerson(id, "admin", "Ada Admin");
  support = await createPerson(id, "support", "Sam Support");
});

async function ask(queryText = QUESTION): Promise<string> {
  return (await api.retrieve(token, { queryText, returnMode: "ai_generated_answer" })).requestId ?? "";
}

/** Checks the open page in both widths and themes. */
async function look(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await checkLook(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
}

async function write(page: Page, answer: string): Promise<void> {
  await page.getByLabel("Answer", { exact: true }).fill(answer);
  await page.getByRole("button", { name: "Add question" }).click();
}

async function served(page: Page): Promise<void> {
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });
}

test("a wrong answer is suggested, fixed, asked again and restored, by support and admin together", async ({
  visit,
}) => {
  const [ada, sam] = [await visit(admin), await visit(support)];

  // nothing answers the question: it is in the list of unanswered questions, with the form prefilled
  await ask();
  await expect(async () => {
    await ada.goto("/usage/unanswered");
    await expect(ada.getByRole("heading", { name: QUESTION })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await expect(ada.getByText("Website: 1")).toBeVisible();
  await ada.getByLabel(`Assignee of ${QUESTION}`).selectOption("Sam Support");
  await expect(ada.getByText("Question updated")).toBeVisible();
  await look(ada);
  await sam.goto("/usage/unanswered?view=mine");
  await expect(sam.getByRole("heading", { name: QUESTION })).toBeVisible();
  await sam.getByLabel(`Assignee of ${QUESTION}`).selectOption("Not assigned");
  await expect(sam.getByRole("heading", { name: QUESTION })).toBeHidden();
  await expect(sam.getByRole("heading", { level: 1 })).toBeFocused();
  await ada.getByRole("link", { name: "Write the answer" }).click();
  await expect(ada.getByLabel("Question", { exact: true })).toHaveValue(QUESTION);
  await write(ada, `A tour of ${PLACE} costs 14 euros.`);
  await served(ada);
  const source = ada.url();

  // the form reports that another source has the same question
  await ada.goto(`/knowledge/add?tab=question&question=${encodeURIComponent(QUESTION.toLowerCase())}`);
  await write(ada, "Another answer.");
  const dialog = ada.getByRole("dialog");
  await expect(dialog.getByRole("link", { name: QUESTION })).toHaveAttribute("href", new URL(source).pathname);
  await look(ada);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // support reports the answer and suggests the fix
  const requestId = await ask();
  await sam.goto(`/usage/requests/${requestId}`);
  await sam.getByRole("button", { name: "Report as wrong" }).click();
  await sam.getByRole("button", { name: "Send report" }).click();
  await expect(sam.getByRole("link", { name: "reported answers" })).toBeVisible();
  await sam.getByRole("link", { name: "Suggest a fix" }).click();
  await sam.getByLabel("Answer", { exact: true }).fill(`A tour of ${PLACE} costs 20 euros.`);
  await sam.getByLabel("Note for the admin").fill("The price went up.");
  await look(sam);
  await sam.getByRole("button", { name: "Send suggestion" }).click();
  await expect(sam.getByText("Suggestion sent")).toBeVisible();

  // the admin sees the count and the difference, and accepts the suggestion
  await ada.goto("/overview");
  await expect(ada.getByText("1 suggestion without a decision.")).toBeVisible();
  await ada.getByRole("link", { name: "Open suggestions" }).click();
  await expect(ada.locator("del")).toHaveText("14");
  await expect(ada.locator("ins")).toHaveText("20");
  await look(ada);
  await ada.getByRole("button", { name: "Accept" }).click();
  await ada.waitForURL(source);
  const second = ada.getByRole("listitem").filter({ has: ada.getByRole("link", { name: /^Version 2:/ }) });
  await expect(second).toContainText("Served", { timeout: 60_000 });

  // support asks again and gets the fixed answer
  await sam.goto(`/usage/requests/${requestId}`);
  await sam.getByRole("button", { name: "Ask again" }).click();
  await sam.waitForURL(/\/compare\//);
  await expect(sam.locator("del").first()).toHaveText("14");
  await expect(sam.locator("ins").first()).toHaveText("20");
  await expect(sam.getByRole("cell", { name: /Text changed/ })).toBeVisible();
  await look(sam);
  await sam.getByRole("button", { name: "Resolve" }).click();
  await expect(sam.getByRole("button", { name: "Reopen" })).toBeVisible();

  // the admin restores the first version, and asks again to see its answer
  await ada.getByRole("link", { name: /^Version 1:/ }).click();
  await ada.getByRole("button", { name: "Restore this version" }).click();
  await ada.waitForURL(source);
  const third = ada.getByRole("listitem").filter({ has: ada.getByRole("link", { name: /^Version 3:/ }) });
  await expect(third).toContainText("Served", { timeout: 60_000 });
  await ada.goto(`/usage/requests/${requestId}`);
  await ada.getByRole("button", { name: "Ask again" }).click();
  await ada.waitForURL(/\/compare\//);
  await expect(ada.locator("del")).toHaveCount(0);
  await expect(ada.getByRole("cell", { name: /Same/ })).toBeVisible();

  // the audit log names both people
  await ada.goto("/settings/audit-log");
  await expect(ada.getByText("suggested by: Sam Support")).toBeVisible();
});

test("support suggests an answer, and an admin declines it with a reason", async ({ visit }) => {
  const [ada, sam] = [await visit(admin), await visit(support)];
  const requestId = await ask(`Where is the entrance of ${PLACE} on Sundays?`);
  await sam.goto(`/usage/requests/${requestId}`);
  await sam.getByRole("link", { name: /Suggest/ }).click();
  await sam.goto(`/knowledge/suggestions/new?question=Entrance&request=${requestId}`);
  await sam.getByLabel("Answer", { exact: true }).fill("By the river.");
  await sam.getByRole("button", { name: "Send suggestion" }).click();
  await sam.waitForURL("**/knowledge/suggestions");

  await ada.goto("/knowledge/suggestions");
  const card = ada.getByRole("listitem").filter({ hasText: "By the river." });
  await card.getByRole("button", { name: "Decline" }).click();
  await ada.getByLabel("Reason").fill("The entrance is by the mill.");
  await ada.getByRole("button", { name: "Decline suggestion" }).click();
  await expect(ada.getByText("Suggestion declined")).toBeVisible();
  await expect(card).toBeHidden();
  await sam.goto("/knowledge/suggestions?decided=true");
  await expect(sam.getByText("The entrance is by the mill.")).toBeVisible();
});

test("an answer from a file offers admins to replace the file, and support to suggest an answer", async ({ visit }) => {
  const [ada, sam] = [await visit(admin), await visit(support)];
  const name = `${PLACE}.txt`;
  const text = `The gardens of ${PLACE} have seven fountains.`;
  await ada.goto("/knowledge/add");
  const chosen = { name, mimeType: "text/plain", buffer: Buffer.from(text) };
  await ada.locator("input[type=file]").first().setInputFiles(chosen);
  await ada.getByRole("link", { name, exact: true }).click();
  await served(ada);
  const source = ada.url();
  const question = `How many fountains do the gardens of ${PLACE} have?`;
  const body = { queryText: question, returnMode: "ai_generated_answer" };
  const answer = async () => (await api.retrieve(token, body)).body.aiGeneratedAnswer;
  await expect.poll(answer, { timeout: 60_000 }).toContain("seven");
  const requestId = await ask(question);

  await ada.goto(`/usage/requests/${requestId}`);
  await ada.getByRole("link", { name: "Fix answer" }).click();
  await expect(ada.getByText("This text comes from a file.")).toBeVisible();
  await expect(ada.getByRole("button", { name: "Replace file" })).toBeVisible();
  await look(ada);
  await ada.getByRole("link", { name: "add a question" }).click();
  await expect(ada.getByLabel("Question", { exact: true })).toHaveValue(question);
  await sam.goto(`/usage/requests/${requestId}`);
  await sam.getByRole("link", { name: "Suggest an answer" }).click();
  await expect(sam.getByLabel("Question", { exact: true })).toHaveValue(question);

  // without the file, both can only write an answer
  await ada.goto(source);
  await ada.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(ada.getByRole("button", { name: "Replace file" })).toBeHidden();
  await expect(ada.getByText("You can restore it within 24 hours.")).toBeVisible();
  await sam.goto(source);
  await expect(sam.getByText("An admin can restore it within 24 hours.")).toBeVisible();
  for (const [page, action] of [
    [ada, "Write the answer"],
    [sam, "Suggest an answer"],
  ] as const) {
    await page.goto(`/usage/requests/${requestId}`);
    await page.getByRole("link", { name: action }).click();
    await expect(page.getByLabel("Question", { exact: true })).toHaveValue(question);
  }
});

test("a question is dismissed with a reason and reopened", async ({ visit }) => {
  const question = `Does ${PLACE} sell submarines to minors?`;
  await ask(question);
  const page = await visit(support);
  await page.goto("/usage/unanswered");
  // the list is refreshed every 15 seconds
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { name: question })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await page.getByRole("button", { name: `Actions for ${question}` }).click();
  await page.getByRole("menuitem", { name: "Dismiss…" }).click();
  await page.getByLabel("Reason").fill("Not our business");
  await page.getByRole("button", { name: "Dismiss question" }).click();
  await expect(page.getByText("Question dismissed")).toBeVisible();
  await expect(page.getByRole("heading", { name: question })).toBeHidden();
  await page.getByRole("link", { name: "Dismissed", exact: true }).click();
  await expect(page.getByText(/Not our business/)).toBeVisible();
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByRole("link", { name: "Open", exact: true }).click();
  await expect(page.getByRole("heading", { name: question })).toBeVisible();
});
