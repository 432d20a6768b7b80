import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, type Person, test } from "../people.ts";

interface NewCompany {
  id: string;
  admin: Person;
}

async function newCompany(): Promise<NewCompany> {
  const name = `Dialogs ${randomUUID().slice(0, 8)}`;
  const { id } = Object(await ragstone("company", "create", "--name", name));
  return { id, admin: await createPerson(id, "admin", "Ada Marl") };
}

/** Fills in the form of a new question, and sends it. */
async function sendQuestion(
  page: Page,
  question: string,
  answer: string,
  labels?: { identifier: string; audience: string },
): Promise<void> {
  await page.goto(`/knowledge/add?${new URLSearchParams({ tab: "question", question })}`);
  await page.getByLabel("Answer", { exact: true }).fill(answer);
  if (labels) {
    await page.getByLabel("Identifier").fill(labels.identifier);
    await page.getByLabel("Audience").fill(labels.audience);
    await page.keyboard.press("Enter");
  }
  await page.getByRole("button", { name: "Add question" }).click();
}

/** Adds a question, and returns the URL of its page once requests get its answer. */
async function addQuestion(page: Page, question: string, answer: string): Promise<string> {
  await sendQuestion(page, question, answer);
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });
  return page.url();
}

test("a question that has an answer already is added beside it or replaces it, as its author chooses", async ({
  visit,
}) => {
  const page = await visit((await newCompany()).admin);
  const first = await addQuestion(page, "When does the mill open?", "At nine.");
  await sendQuestion(page, "when does the mill open", "At ten.");
  const dialog = page.getByRole("dialog", { name: "This question already has an answer" });
  await expect(dialog.getByText("At nine.")).toBeVisible();
  await checkLook(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Add question" }).click();
  await dialog.getByRole("button", { name: "Replace existing answer" }).click();
  await expect(page).toHaveURL(first);
  await expect(page.getByText("At ten.").first()).toBeVisible({ timeout: 60_000 });

  await sendQuestion(page, "When does the mill open?", "At eight, for guides.");
  await dialog.getByRole("button", { name: "Keep both" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("At eight, for guides.").first()).toBeVisible({ timeout: 60_000 });
  expect(page.url()).not.toBe(first);

  // both questions are asked, and the second does not repeat the first
  await sendQuestion(page, "Who sweeps the mill?", "The miller.", { identifier: "sweep", audience: "internal" });
  await expect(page).toHaveURL(/\/knowledge\/[\da-f-]{36}$/);
  const labels = { identifier: "sweep", audience: "ai_agent" };
  await sendQuestion(page, "When does the mill open?", "At six, for millers.", labels);
  await dialog.getByRole("button", { name: "Keep both" }).click();
  await page.getByRole("alertdialog", { name: "Show to more audiences?" }).getByText("Add question").click();
  await expect(page).toHaveURL(/\/knowledge\/[\da-f-]{36}$/);
  await expect(page.getByText("At six, for millers.").first()).toBeVisible({ timeout: 60_000 });

  await page.goto(`${page.url()}?edit=true`);
  const edit = page.getByRole("dialog", { name: "Edit question and answer" });
  const answer = edit.getByLabel("Answer", { exact: true });
  await answer.fill("At five.");
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  const discard = page.getByRole("alertdialog", { name: "Discard your changes?" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkLook(page);
  }
  await discard.getByRole("button", { name: "Keep editing" }).click();
  await expect(answer).toHaveValue("At five.");
  await edit.getByRole("button", { name: "Cancel" }).click();
  await discard.getByRole("button", { name: "Discard changes" }).click();
  await expect(edit).toBeHidden();
});

test("a change of labels can still be undone after the page was closed, by its author only", async ({ visit }) => {
  const company = await newCompany();
  const page = await visit(company.admin);
  for (const title of ["Flour", "Bran"]) {
    await page.goto("/knowledge/add?tab=text");
    await page.getByLabel("Title").fill(title);
    await page.getByRole("textbox", { name: "Text", exact: true }).fill(`${title} is milled.`);
    await page.getByRole("button", { name: "Add text" }).click();
    await expect(page).toHaveURL(/\/knowledge\/[\da-f-]{36}$/);
  }
  await page.goto("/knowledge");
  await page.getByLabel("Select all on this page").click();
  await page.getByRole("button", { name: "Change labels" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Set the category").click();
  await dialog.getByLabel("Category", { exact: true }).fill("mill");
  await dialog.getByRole("button", { name: "Change labels" }).click();
  await expect(page.getByText("Labels of 2 sources changed")).toBeVisible();

  const other = await visit(await createPerson(company.id, "admin", "Bob Basalt"));
  await other.goto("/knowledge?category=mill");
  await expect(other.getByText("2 sources", { exact: true })).toBeVisible();
  await expect(other.getByRole("button", { name: "Undo label change" })).toBeHidden();

  await page.goto("/knowledge?category=mill");
  await expect(page.getByText(/You changed the labels of 2 sources/)).toBeVisible();
  await checkLook(page);
  await page.getByRole("button", { name: "Dismiss this message" }).click();
  await expect(page.getByRole("button", { name: "Undo label change" })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.reload();
  await expect(page.getByText("2 sources", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo label change" })).toBeHidden();
  // another browser of the same person still offers it
  await page.context().clearCookies({ name: "ragstone-dismissed-undo" });
  await page.reload();
  await page.getByRole("button", { name: "Undo label change" }).click();
  await expect(page.getByText("Labels of 2 sources restored")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo label change" })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.goto("/knowledge?category=general");
  await expect(page.getByText("2 sources", { exact: true })).toBeVisible();
});

test("an answer is verified until a day from the calendar, and the verification is withdrawn", async ({ visit }) => {
  const page = await visit((await newCompany()).admin);
  const source = await addQuestion(page, "Who owns the mill?", "The village.");
  await expect(page.getByText(/a closeness of at least 0\.\d\d, Ragstone's default/)).toBeVisible();
  await page.getByRole("button", { name: "Verify answer" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "Valid until" });
  await field.fill("03/04/2999");
  await field.blur();
  await expect(dialog.getByText("Type the date as 31 Jan 2026.")).toBeVisible();
  await field.fill("2999-11-30");
  const open = dialog.getByRole("button", { name: "Open the calendar of “Valid until”" });
  await open.click();
  const calendar = page.getByRole("dialog", { name: "Calendar of “Valid until”" });
  await expect(field).toHaveValue("30 Nov 2999");
  await expect(calendar.getByRole("grid", { name: "November 2999" })).toBeVisible();
  await expect(calendar.getByRole("gridcell", { selected: true })).toHaveText("30");
  const chosen = calendar.getByRole("button", { name: "Saturday, 30 November 2999" });
  await expect(chosen).toBeFocused();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkLook(page);
  }
  await page.keyboard.press("Escape");
  await expect(calendar).toBeHidden();
  await expect(open).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chosen).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await calendar.getByRole("button", { name: "Next month" }).click();
  await expect(calendar.getByRole("grid", { name: "January 3000" })).toBeVisible();
  await calendar.getByRole("button", { name: "Previous month" }).click();
  await calendar.getByRole("button", { name: "Tuesday, 31 December 2999" }).click();
  await expect(field).toHaveValue("31 Dec 2999");
  await dialog.getByRole("button", { name: "Verify answer" }).click();
  await expect(page.getByText(/Verified by Ada Marl on .*, until 31 Dec 2999/)).toBeVisible();
  await page.goto("/settings/retrieval");
  await page.getByRole("link", { name: "Show verified answers" }).click();
  await expect(page.getByRole("link", { name: "Who owns the mill?" })).toBeVisible();

  await page.goto(source);
  await page.getByRole("button", { name: "Withdraw verification" }).click();
  await expect(page.getByText("This answer is not verified.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Verify answer" })).toBeFocused();
});

test("the calendar neither steals nor loses the focus", async ({ visit }) => {
  const page = await visit((await newCompany()).admin);
  await addQuestion(page, "Who sharpens the millstones?", "The smith.");
  await page.getByRole("button", { name: "Verify answer" }).click();
  const dialog = page.getByRole("dialog", { name: "Verify answer" });
  const field = dialog.getByRole("textbox", { name: "Valid until" });
  const open = dialog.getByRole("button", { name: "Open the calendar of “Valid until”" });
  const calendar = page.getByRole("dialog", { name: "Calendar of “Valid until”" });
  await field.fill("9999-11-30");
  await open.click();
  await expect(calendar.getByRole("button", { name: /^Tuesday,? 30 November 9999$/ })).toBeFocused();
  await field.click();
  await expect(calendar).toBeHidden();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type("1 Dec 9999");
  await expect(field).toHaveValue("1 Dec 9999");

  await open.click();
  const previous = calendar.getByRole("button", { name: "Previous month" });
  const next = calendar.getByRole("button", { name: "Next month" });
  await expect(next).toHaveAttribute("aria-disabled", "true");
  await previous.click();
  await next.focus();
  await page.keyboard.press("Enter");
  await expect(calendar.getByRole("grid", { name: "December 9999" })).toBeVisible();
  await expect(next).toBeFocused();

  // no day follows the last one, so the key moves nothing
  const last = calendar.getByRole("button", { name: /^Friday,? 31 December 9999$/ });
  await calendar.getByRole("button", { name: /^Wednesday,? 1 December 9999$/ }).focus();
  await page.keyboard.press("PageDown");
  await expect(last).toBeFocused();
  await page.keyboard.press("PageDown");
  await previous.click();
  await expect(calendar.getByRole("grid", { name: "November 9999" })).toBeVisible();
  await expect(previous).toBeFocused();
});

test("a file is replaced by a new version, and one of another type is refused", async ({ visit }) => {
  const page = await visit((await newCompany()).admin);
  const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.goto("/knowledge/add");
  await page.locator("input[type=file]").first().setInputFiles(file("mill.txt", "The mill has two stones."));
  await page.getByRole("link", { name: "mill.txt", exact: true }).click();
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });
  const chosen = page.getByLabel("New file");
  await chosen.setInputFiles(file("mill.md", "The mill has four stones."));
  await expect(page.getByText("Choose a .txt file.")).toBeVisible();
  await chosen.setInputFiles(file("new mill.txt", "The mill has three stones."));
  await expect(page.getByText("File replaced")).toBeVisible();
  await expect(page.getByText("The mill has three stones.")).toBeVisible({ timeout: 60_000 });
  await chosen.setInputFiles(file("same mill.txt", "The mill has three stones."));
  await expect(page.getByText("This file is unchanged. No new version was made.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Version 3:/ })).toBeHidden();
});

test("test questions are imported from a file and edited", async ({ visit }) => {
  const page = await visit((await newCompany()).admin);
  await page.goto("/test-questions");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import test questions" });
  const text = "question,mustRefuse\nWho walked on the moon?,yes\n,yes\n";
  const answer = Promise.withResolvers<void>();
  await page.route("**/test-questions/import?**", async (route) => {
    await answer.promise;
    await route.continue();
  });
  await dialog.getByLabel("File").setInputFiles({ name: "q.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  answer.resolve();
  await expect(dialog.getByText(/1 .*added/)).toBeVisible();
  await checkLook(page);
  await dialog.getByRole("button", { name: "Done" }).click();

  const row = page.getByRole("row", { name: "Who walked on the moon?" });
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit test question" });
  await form.getByLabel("Question", { exact: true }).fill("Who walked on Mars?");
  await page.mouse.click(5, 5);
  await form.getByRole("button", { name: "Save test question" }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole("row", { name: "Who walked on Mars?" })).toBeVisible();
});

test("an unanswered question is assigned, and snoozed out of the list", async ({ visit }) => {
  const company = await newCompany();
  const { token } = Object(await ragstone("key", "create", "--company", company.id, "--name", "Bot"));
  const page = await visit(company.admin);
  await addQuestion(page, "Who owns the mill?", "The village.");
  const question = "Does the mill lend submarines to minors?";
  await api.retrieve(token, { queryText: question, returnMode: "ai_generated_answer" });
  // the list is refreshed every 15 seconds
  await expect(async () => {
    await page.goto("/usage/unanswered");
    await expect(page.getByRole("heading", { name: question })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  const assignee = page.getByLabel(`Assignee of ${question}`);
  await expect(assignee).toBeEnabled();
  await assignee.focus();
  await assignee.selectOption({ label: "Ada Marl" });
  await expect(page.getByText("Question updated")).toBeVisible();
  await expect(assignee).toBeFocused();
  await page.getByRole("button", { name: `Actions for ${question}` }).click();
  await page.getByRole("menuitem", { name: "Snooze for 7 days" }).click();
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(page.getByRole("heading", { name: question })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.getByRole("link", { name: "Snoozed", exact: true }).click();
  await expect(page.getByRole("heading", { name: question })).toBeVisible();
});
