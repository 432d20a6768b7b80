import { expect, type Page, test } from "@playwright/test";
import { api, ragstone, sample, sampleCompany } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";

const QUESTION = { queryText: "How do I cancel my broadband contract?" };
const REFUSING = /The API has refused requests since/;

async function confirm(page: Page, button: string, verb = button, typed?: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  const question = page.getByRole("alertdialog");
  if (typed) await question.getByLabel(`Type ${typed} to confirm`).fill(typed);
  await question.getByRole("button", { name: verb, exact: true }).click();
  await expect(question).toBeHidden();
}

test.afterEach(async () => {
  await ragstone("subscription", "set", "--company", await sampleCompany(), "--status", "ACTIVE");
});

test("after an immediate cancellation, the API answers 403 and every page says so, until it is resumed", async ({
  page,
}) => {
  await page.goto("/settings/subscription");
  await expect(page.getByText("The API serves every request with a valid key.")).toBeVisible();
  await confirm(page, "Cancel now", "Cancel now", "Valtessa");
  await expect(page.getByText(REFUSING)).toBeVisible();

  const refused = await api.retrieve(sample.token(), QUESTION);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ error: "SubscriptionInactive", subscriptionStatus: "CANCELLED" });
  await page.goto("/overview");
  await page.getByRole("link", { name: "Go to the subscription" }).click();

  await confirm(page, "Resume");
  await expect(page.getByText(REFUSING)).toBeHidden();
  expect((await api.retrieve(sample.token(), QUESTION)).status).toBe(200);
  await expect(page.getByRole("cell", { name: /^Resumed/ }).first()).toBeVisible();
});

test("after a cancellation at the end of the period, the API still answers, and it can be undone", async ({ page }) => {
  await page.goto("/settings/subscription");
  await confirm(page, "Cancel at the end of the period", "Cancel at the end");
  await expect(page.getByText("The subscription ends, and the API stops serving requests, on")).toBeVisible();
  expect((await api.retrieve(sample.token(), QUESTION)).status).toBe(200);
  await confirm(page, "Resume");
  await expect(page.getByText("The subscription has no end.")).toBeVisible();
});

test("the page shows the plan's allowance and the requests used", async ({ page }) => {
  await api.retrieve(sample.token(), QUESTION);
  await page.goto("/settings/subscription");
  await page.getByRole("button", { name: "Change plan" }).click();
  await page.getByRole("radio", { name: "Starter" }).click();
  await page.getByRole("button", { name: "Change to Starter" }).click();
  await expect(page.getByText(/^[1-9]\d* of 10,000 requests this month$/)).toBeVisible();
  await page.getByRole("button", { name: "Change plan" }).click();
  await page.getByRole("radio", { name: "Unlimited" }).click();
  await page.getByRole("button", { name: "Change to Unlimited" }).click();
  await expect(page.getByText("requests this month, no limit")).toBeVisible();
});

test("the page and the banner look right while the API refuses requests", async ({ page }) => {
  await page.goto("/settings/subscription");
  await confirm(page, "Cancel now", "Cancel now", "Valtessa");
  await expect(page.getByText(REFUSING)).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkLook(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await checkLook(page);
});

test("unpaid and incomplete subscriptions can be activated, and the page says how", async ({ page }) => {
  for (const status of ["UNPAID", "INCOMPLETE"]) {
    await ragstone("subscription", "set", "--company", await sampleCompany(), "--status", status);
    await page.goto("/settings/subscription");
    await expect(page.getByText("Activate the subscription to use the API.")).toBeVisible();
    await confirm(page, "Activate");
    await expect(page.getByText(REFUSING)).toBeHidden();
    expect((await api.retrieve(sample.token(), QUESTION)).status).toBe(200);
  }
  await page.goto("/settings/audit-log");
  await expect(page.getByText("status: INCOMPLETE → ACTIVE").first()).toBeVisible();
  await expect(page.getByText("ACTIVE → ACTIVE")).toBeHidden();
});
