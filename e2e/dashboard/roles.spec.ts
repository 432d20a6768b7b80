import { ragstone, sampleCompany } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

const FOR_ADMINS = [
  "/knowledge/add",
  "/settings/api-keys",
  "/settings/subscription",
  "/settings/members",
  "/settings/company",
  "/settings/audit-log",
];

test("support sees knowledge, playground, usage and test questions, but no links to or content of admin pages", async ({
  visit,
}) => {
  const company = await sampleCompany();
  const page = await visit(await createPerson(company, "support", "Sam Support"));
  const links = await page.getByRole("navigation", { name: "Main" }).getByRole("link").allInnerTexts();
  // a link may end with a count
  expect(links.map((text) => /^[A-Za-z ]+/.exec(text)?.[0])).toEqual([
    "Overview",
    "Knowledge",
    "Playground",
    "Usage",
    "Test questions",
    "Retrieval",
  ]);
  for (const path of [
    "/overview",
    "/knowledge",
    "/knowledge/suggestions",
    "/playground",
    "/test-questions",
    "/usage",
    "/usage/unanswered",
    "/settings/retrieval",
    "/settings/profile",
  ]) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }

  const [key] = Object(await ragstone("key", "list", "--company", company));
  for (const path of [...FOR_ADMINS, `/settings/api-keys/${key.id}`]) {
    expect((await page.goto(path))?.status(), path).toBe(403);
    await expect(page.getByRole("heading", { name: "Only admins see this page" })).toBeVisible();
    expect(await page.content()).not.toContain(key.maskedToken);
  }
  await page.getByRole("link", { name: "Back to the overview" }).click();
  await expect(page).toHaveURL("/overview");
});

test("an admin who becomes support loses access to open admin pages on the next click", async ({ page, visit }) => {
  const person = await createPerson(await sampleCompany(), "admin", "Dora Demoted");
  const demoted = await visit(person);
  await demoted.goto("/settings/company");
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Actions for Dora Demoted" }).click();
  await page.getByRole("menuitem", { name: "Make support" }).click();
  await page.getByRole("button", { name: "Make support" }).click();
  await expect(page.getByRole("alertdialog")).toBeHidden();

  await demoted.getByRole("link", { name: "API Keys", exact: true }).click();
  await expect(demoted).toHaveURL(/\/sign-in/);
});
