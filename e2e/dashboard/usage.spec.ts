import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { api, ragstone, sample } from "../fixtures.ts";

/** A name that no earlier run on the same server has used. */
const NAME = `Usage ${Date.now()}`;

let token: string;
let keyId: string;

test.beforeAll(async () => {
  const [company] = Object(await ragstone("company", "list"));
  const key = Object(await ragstone("key", "create", "--company", company.id, "--name", NAME));
  token = key.token;
  keyId = key.id;
});

test("a request can be found by its id, and shows its settings and trace", async ({ page }) => {
  const filters = { sourceTypes: ["document"] };
  const body = {
    queryText: "How do I move house with my line?",
    filters,
    useRerank: true,
    clientName: "Zoltan Quartz",
  };
  const { requestId } = await api.retrieve(token, body);
  await page.goto("/usage/requests");
  await page.getByRole("searchbox", { name: "Search requests" }).fill((requestId ?? "").slice(0, 8));
  const row = page.getByRole("row").filter({ hasText: NAME });
  // without other requests, the page has one before it searches
  await expect(page).toHaveURL(/[?&]q=/);
  await expect(page.getByText("1 request", { exact: true })).toBeVisible();
  await row.getByRole("link", { name: body.queryText }).click();
  await expect(page.getByText(requestId ?? "")).toBeVisible();
  await expect(page.getByRole("heading", { name: "How this result was found" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Stages" })).toContainText("Rerank");
  await expect(page.getByRole("list", { name: "How each result got its rank" })).toContainText("Moving house");
  expect(await page.content()).not.toContain("Zoltan");

  await page.getByRole("link", { name: "Playground", exact: true }).last().click();
  await expect(page.getByLabel("Question")).toHaveValue(body.queryText);
  await expect(page.getByRole("switch", { name: "Rerank" })).toBeChecked();
});

test("the link back from a row keeps the filters of its list", async ({ page }) => {
  const { requestId } = await api.retrieve(token, { queryText: "Which filters are kept?" });
  await page.goto(`/usage/requests?days=7&q=${requestId}`);
  await page.getByRole("link", { name: "Which filters are kept?" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Which filters are kept?" })).toBeVisible();
  await page.reload();
  await page.getByRole("main").getByRole("link", { name: "Requests", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/usage/requests\\?days=7&q=${requestId}$`));

  await page.goto("/knowledge?type=document&sort=title&desc=false");
  await page.getByRole("row").nth(1).getByRole("link").click();
  await page.getByRole("main").getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(page).toHaveURL(/\/knowledge\?type=document&sort=title&desc=false$/);
  const firstRow = page.getByRole("row").nth(1);
  const firstDocument = await firstRow.getByRole("link").innerText();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(firstRow.getByRole("link")).not.toHaveText(firstDocument);
  await firstRow.getByRole("link").click();
  await page.getByRole("main").getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(page).toHaveURL(/\/knowledge\?sort=title&desc=false$/);
  // the filters could hide what is added
  await page.goto("/knowledge/add");
  await page.getByRole("main").getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(page).toHaveURL(/\/knowledge$/);

  await page.goto("/knowledge/suggestions?decided=true");
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain("decided=true");
  await page.goto("/knowledge/suggestions/new");
  await page.getByRole("main").getByRole("link", { name: "Suggestions", exact: true }).click();
  await expect(page).toHaveURL(/\/knowledge\/suggestions\?decided=true$/);

  await page.goto("/settings/api-keys?q=Usage&create=1");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.goto(`/settings/api-keys/${keyId}`);
  await page.getByRole("main").getByRole("link", { name: "API Keys", exact: true }).click();
  await expect(page).toHaveURL(/\/settings\/api-keys\?q=Usage$/);
});

test("a refused request can be found too, and shows the reason", async ({ page }) => {
  const { requestId } = await api.retrieve(token, { queryText: "x", limit: 101 });
  await page.goto(`/usage/requests?q=${requestId}`);
  await expect(page.getByRole("cell", { name: "Error 422" })).toBeVisible();
  await page.goto(`/usage?request=${requestId}`);
  await expect(page.getByText(/limit: must be at most 100/)).toBeVisible();
  await page.goto("/usage/requests/00000000-0000-4000-8000-000000000000");
  await expect(page.getByRole("heading", { name: "No request with this ID" })).toBeVisible();
});

test("figures are filtered by the key in the URL", async ({ page }) => {
  await api.retrieve(token, { queryText: "What does roaming cost in Mongolia?", returnMode: "ai_generated_answer" });
  await api.retrieve(sample.token(), { queryText: "Only the sample key asks this" });
  await page.goto("/usage");
  await page.getByLabel("API key", { exact: true }).selectOption(`Key: ${NAME}`);
  await expect(page).toHaveURL(new RegExp(`source=${keyId}`));
  await expect(page.getByRole("link", { name: /roaming cost in Mongolia/ }).first()).toBeVisible();
  await expect(page.getByText("Only the sample key asks this")).toBeHidden();
  await page.getByRole("radio", { name: "7 days" }).click({ force: true });
  await expect(page).toHaveURL(/days=7/);

  await page.getByRole("slider", { name: "Requests by hour" }).focus();
  await page.keyboard.press("End");
  await expect(page.getByRole("slider", { name: "Requests by hour" })).toHaveAttribute(
    "aria-valuetext",
    /Served [1-9]/,
  );
  await page.getByText("Figures by day").click();
  await expect(page.getByRole("table", { name: /Usage by day/ }).getByRole("row")).toHaveCount(8);
  await page.getByRole("link", { name: "Requests", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`/usage/requests\\?.*source=${keyId}`));
});

test("a key or a period is chosen from the first page of requests on", async ({ page }) => {
  await page.goto("/usage/requests?page=2");
  await page.getByLabel("API key", { exact: true }).selectOption(`Key: ${NAME}`);
  await expect(page).toHaveURL(new RegExp(`source=${keyId}`));
  expect(page.url()).not.toContain("page=");
  await page.goto("/usage/requests?page=2");
  await page.getByRole("radio", { name: "7 days" }).click({ force: true });
  await expect(page).toHaveURL(/days=7/);
  expect(page.url()).not.toContain("page=");
});

test("the log can be downloaded with the page's filters, without formulas", async ({ page }) => {
  const { requestId } = await api.retrieve(token, { queryText: '=HYPERLINK("https://evil.example")' });
  await page.goto(`/usage/requests?q=${requestId}`);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^requests-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(requestId);
  expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
});

test("the audit log says who created a key, and can be filtered through the URL", async ({ page }) => {
  await page.goto("/settings/audit-log");
  await page.getByLabel("What").selectOption("created a key");
  await expect(page).toHaveURL(/action=api_key.created/);
  const event = page.getByRole("row").filter({ hasText: NAME });
  await expect(event.first()).toContainText("Command line created a key");
  // only the header row
  await expect(page.getByRole("row").filter({ hasNotText: "created a key" })).toHaveCount(1);
  await event.first().getByRole("link", { name: NAME }).click();
  await expect(page.getByRole("heading", { level: 1, name: NAME })).toBeVisible();

  const today = new Date().toISOString().slice(0, 10);
  await page.goto(`/settings/audit-log?to=2020-01-01`);
  await expect(page.getByRole("heading", { name: "No matching changes" })).toBeVisible();
  await page.goto(`/settings/audit-log?actor=Command%20line&from=${today}&to=${today}`);
  await expect(event.first()).toBeVisible();
  for (const label of ["From", "to"]) {
    await page.getByRole("button", { name: `Open the calendar of “${label}”` }).click();
    await expect(page.getByRole("dialog", { name: `Calendar of “${label}”` })).toBeVisible();
    await page.keyboard.press("Escape");
  }
});

test("a filter shows what it filters by, even a value that it does not offer", async ({ page }) => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  const chosen = (label: string) => page.getByRole("combobox", { name: label, exact: true }).locator("option:checked");
  for (const path of ["/usage", "/usage/requests"]) {
    await page.goto(`${path}?source=${nobody}`);
    await expect(chosen("API key")).toHaveText("Unknown key");
    await page.goto(`${path}?source=`);
    await expect(chosen("API key")).toHaveText("All requests");
    await expect(page.getByRole("link", { name: "=HYPERLINK" }).first()).toBeVisible();
  }
  await page.goto(`/settings/audit-log?actor=${nobody}&action=company.no_such_action`);
  await expect(chosen("Who")).toHaveText("Unknown person");
  await expect(chosen("What")).toHaveText("company no such action");
  await expect(page.getByRole("heading", { name: "No matching changes" })).toBeVisible();
  await page.goto("/knowledge?category=gone&audience=");
  await expect(chosen("Category")).toHaveText("gone (0)");
  await expect(page.getByText("0 sources")).toBeVisible();
});

test("the overview links to the usage figures", async ({ page }) => {
  await page.goto("/overview");
  await page.getByRole("link", { name: "All figures" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
});
