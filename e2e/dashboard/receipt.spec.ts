import { expect, type Page, test } from "@playwright/test";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";

/** Words that no earlier run on the same server has used. */
const PLACE = `Quarry${Date.now()}`;
const QUESTION = `What does a visit to ${PLACE} cost?`;

let token: string;
let companyId: string;

test.beforeAll(async () => {
  const [company] = Object(await ragstone("company", "list"));
  companyId = company.id;
  const created = await ragstone("key", "create", "--company", companyId, "--name", PLACE);
  token = Object(created).token;
});

async function ask(): Promise<string> {
  const body = { queryText: QUESTION, returnMode: "ai_generated_answer", clientName: "Zoltan Quartz" };
  return (await api.retrieve(token, body)).requestId ?? "";
}

/** Opens a request by its id, as a person does who was told the id. */
async function find(page: Page, requestId: string): Promise<void> {
  await page.goto("/overview");
  // the page listens once its scripts run
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await page.getByRole("combobox").fill(requestId.slice(0, 8));
  await expect(page.getByRole("option", { name: QUESTION })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: QUESTION })).toBeVisible();
}

test("a wrong answer is found by its request, fixed, and restored", async ({ page }) => {
  await page.goto(`/knowledge/add?tab=question&question=${encodeURIComponent(QUESTION)}`);
  await expect(page.getByLabel("Question", { exact: true })).toHaveValue(QUESTION);
  await page.getByLabel("Answer", { exact: true }).fill(`A visit to ${PLACE} costs 14 euros.`);
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Served").first()).toBeVisible({ timeout: 60_000 });

  const requestId = await ask();
  await find(page, requestId);
  await expect(page.getByText("costs 14 euros").first()).toBeVisible();
  await expect(page.getByText("Cited").first()).toBeVisible();
  expect(await page.content()).not.toContain("Zoltan");
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole("button", { name: "Report as wrong" }).click();
  await page.getByLabel("Problem").fill("The price went up.");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByRole("link", { name: "reported answers" })).toBeVisible();

  await page.getByRole("link", { name: "Fix answer" }).click();
  const answer = page.getByLabel("Answer", { exact: true });
  await expect(answer).toHaveValue(/14 euros/);
  await answer.fill(`A visit to ${PLACE} costs 20 euros.`);
  await page.getByRole("button", { name: "Save version" }).click();
  const second = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: /^Version 2:/ }) });
  await expect(second).toContainText("Served", { timeout: 60_000 });

  await page.goto(`/usage/requests/${requestId}?company=${companyId}`);
  await expect(page.getByText("Changed since").first()).toBeVisible();
  await expect(page.getByText("costs 14 euros").first()).toBeVisible();
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByRole("list", { name: "History" })).toContainText("Resolved by");
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect(page.getByRole("list", { name: "History" })).toContainText("Reopened by");
  await page.getByRole("button", { name: "Resolve" }).click();
  await expect(page.getByRole("button", { name: "Reopen" })).toBeVisible();

  await find(page, await ask());
  await expect(page.getByText("costs 20 euros").first()).toBeVisible();
  await page.getByRole("link", { name: "Open chunk" }).first().click();
  await page.getByRole("link", { name: "Open in its source" }).click();
  await page.getByRole("link", { name: /^Version 1:/ }).click();
  await expect(page.locator("del")).toHaveText("14");
  await expect(page.locator("ins")).toHaveText("20");
  await checkLook(page);
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.waitForURL(/\/knowledge\/[0-9a-f-]{36}$/);
  await expect(page.getByText("costs 14 euros")).toBeVisible({ timeout: 60_000 });

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toBeVisible();
  await page.getByRole("link", { name: /^Version 1:/ }).click();
  await expect(page.getByText("Restore the source first, then restore this version.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Restore this version" })).toBeHidden();
});

test("a link of a company that one is not in answers 404", async ({ page }) => {
  const requestId = await ask();
  const elsewhere = "company=00000000-0000-4000-8000-000000000000";
  const response = await page.goto(`/usage/requests/${requestId}?${elsewhere}`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "No request with this ID" })).toBeVisible();
  for (const path of [`/usage/requests/${requestId}/compare/${requestId}`, "/playground"]) {
    expect((await page.request.get(`${path}?${elsewhere}`)).status(), path).toBe(404);
  }
});

test("results and question survive a reload and opening a chunk", async ({ page }) => {
  await page.goto("/playground");
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
  await page.getByLabel("Question").fill("How do I cancel my broadband contract?");
  await page.getByRole("button", { name: "Run" }).click();
  const results = page.getByRole("region", { name: "Results" });
  await expect(results.getByRole("status").first()).toHaveText(/results? in \d+ ms$/);
  await page.waitForURL(/run=/);
  await page.reload();
  await expect(results.getByRole("listitem").first()).toBeVisible();
  await results
    .getByRole("link", { name: /open chunk/ })
    .first()
    .click();
  await page.waitForURL(/knowledge\/chunks\//);
  await page.goBack();
  await expect(results.getByRole("listitem").first()).toBeVisible();
  await expect(page.getByLabel("Question")).toHaveValue("How do I cancel my broadband contract?");

  // in another tab, the link has the question, and leads to the results of then
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("Question")).toHaveValue("How do I cancel my broadband contract?");
  await other.getByRole("link", { name: "Open request" }).click();
  await other.waitForURL(/\/usage\/requests\//);
  await other.close();
});

test("the answer is in view after a run on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/playground");
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
  await page.getByLabel("Question").fill("How do I cancel my broadband contract?");
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("heading", { name: "Answer" })).toBeInViewport();
});
