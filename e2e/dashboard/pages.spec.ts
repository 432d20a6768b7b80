import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { api, ragstone, sample, sampleCompany } from "../fixtures.ts";
import { inspect } from "../inspect.ts";
import { createPerson, expect, NOBODY, test } from "../people.ts";

const PAGES = [
  "/overview",
  "/knowledge",
  "/knowledge/add",
  "/knowledge/add?tab=text",
  "/knowledge/add?tab=question",
  "/knowledge/add?tab=csv",
  "/knowledge/add?tab=export",
  "/knowledge/suggestions",
  "/knowledge/suggestions/new",
  "/playground",
  "/usage",
  "/usage/requests",
  "/usage/unanswered",
  "/usage/reports",
  "/test-questions",
  "/settings/api-keys",
  "/settings/connect",
  "/settings/connect?to=claude-code",
  "/settings/subscription",
  "/settings/members",
  "/settings/company",
  "/settings/retrieval",
  "/settings/audit-log",
  "/settings/profile",
];

// lets the two halves of the browser tests share this file
test.describe.configure({ mode: "parallel" });

for (const path of PAGES) {
  test(path, async ({ page }) => {
    await inspect(page, path);
  });
}

test("a source's page", async ({ page }) => {
  await page.goto("/knowledge?type=document");
  await inspect(page, await href(page, "/knowledge/"));
});

test("a key's page", async ({ page }) => {
  await page.goto("/settings/api-keys");
  await inspect(page, await href(page, "/settings/api-keys/"));
});

test("a request's page", async ({ page }) => {
  await api.retrieve(sample.token(), { queryText: "How do I cancel my contract?", returnMode: "ai_generated_answer" });
  await page.goto("/usage/requests");
  await inspect(page, await href(page, "/usage/requests/"));
});

test("a page that support staff may not see", async ({ visit }) => {
  const page = await visit(await createPerson(await sampleCompany(), "support", "Sara Support"));
  await inspect(page, "/settings/api-keys", { status: 403 });
});

test("the page of a person without a company", async ({ visit }) => {
  const { id } = Object(await ragstone("company", "create", "--name", "Short Lived"));
  const page = await visit(await createPerson(id, "support", "Nora Nowhere"));
  await ragstone("company", "delete", "--id", id, "--yes");
  await inspect(page, "/no-company");
});

test("pages that do not exist", async ({ page }) => {
  await inspect(page, `/knowledge/${randomUUID()}`, { status: 404 });
  for (const path of [
    `/settings/api-keys/${randomUUID()}`,
    `/knowledge/chunks/${randomUUID()}`,
    "/knowledge/nothing",
  ]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test.describe("signed out", () => {
  test.use({ storageState: NOBODY });
  for (const path of ["/sign-in", "/forgot", "/docs", "/invite/no-such-token", "/reset/no-such-token"]) {
    test(path, async ({ page }) => {
      await inspect(page, path);
    });
  }
  test("the API reference links to its sections and sends a request with the reader's key", async ({ page }) => {
    await page.goto("/docs");
    await page
      .getByRole("navigation", { name: "On this page" })
      .getByRole("link", { name: "Search the knowledge base" })
      .click();
    await expect(page).toHaveURL("/docs#search-the-knowledge-base");
    const section = page.getByRole("region", { name: "Check the API and the key" });
    await section.getByText("Try it").click();
    await section.getByLabel("Your API key").fill(sample.token());
    await section.getByRole("button", { name: "Send request" }).click();
    await expect(section.getByText("Status 200")).toBeVisible();
    await expect(section.getByRole("status")).toContainText('"status": "ok"');
    // the example's question finds something in any company
    const search = page.getByRole("region", { name: "Search the knowledge base" });
    await search.getByText("Try it").click();
    await expect(search.getByLabel("Body", { exact: true })).not.toHaveValue(/filters|scoreThreshold/);
    await search.getByRole("button", { name: "Send request" }).click();
    await expect(search.getByRole("status")).toContainText(/"total": [1-9]/);
  });
  test("/nothing-here", async ({ page }) => {
    await inspect(page, "/nothing-here", { status: 404 });
  });
});

async function href(page: Page, start: string): Promise<string> {
  const link = page.getByRole("row").nth(1).locator(`a[href^="${start}"]`).first();
  return (await link.getAttribute("href")) ?? "";
}
