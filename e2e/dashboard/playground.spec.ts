import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { playgroundLink } from "../../components/playground-link.ts";
import { api, ragstone, sample, variable } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";

const QUESTION = "How do I cancel my broadband contract?";
/** A name that no earlier run on the same server has used. */
const POLICIES = `Policies ${Date.now()}`;
const FILE = "quarry-visits.pdf";
const FACT = "A visit to the Kestrel quarry costs 14 euros and must be booked nine days ahead.";

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  // keyboard shortcuts work once the page is hydrated
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect(results(page).getByRole("status").first()).toHaveText(/results? in \d+ ms$/i);
}

function results(page: Page) {
  return page.getByRole("region", { name: "Results" });
}

async function company(): Promise<string> {
  const [first] = Object(await ragstone("company", "list"));
  return first.id;
}

/** Prints a PDF with the browser. */
async function printPdf(page: Page): Promise<Buffer> {
  await page.setContent(`<title>Quarry visits</title><h1>Quarry visits</h1><p>${FACT}</p><p>Wear solid shoes.</p>`);
  return page.pdf({ format: "A5" });
}

test("a PDF is processed, found and cited in an answer", async ({ page, context }) => {
  const pdf = await printPdf(await context.newPage());
  await page.goto("/knowledge/add");
  await page
    .locator('input[aria-label="Files"]')
    .setInputFiles({ name: FILE, mimeType: "application/pdf", buffer: pdf });
  await page.getByRole("link", { name: FILE }).click();
  await page.waitForURL(/\/knowledge\/[0-9a-f-]{36}$/);
  await expect(page.getByText("Kestrel quarry").first()).toBeVisible({ timeout: 60_000 });

  await page.goto("/playground");
  await ask(page, "How much is a visit to the Kestrel quarry?");
  const first = results(page).getByRole("listitem").first();
  await expect(first).toContainText("Quarry visits");
  await expect(first.locator("mark").filter({ hasText: "Kestrel" }).first()).toBeVisible();
  await expect(page.getByText(/costs 14 euros/).first()).toBeVisible();
  await page.getByRole("button", { name: "Show result 1" }).first().click();
  await expect(first).toHaveAttribute("aria-current", "true");
  await expect(first).toBeFocused();

  await first.getByRole("link", { name: /open chunk/ }).click();
  await page.waitForURL(/knowledge\/chunks\//);
  const chunk = page.locator('[aria-current="location"]');
  await expect(chunk).toContainText("Kestrel quarry");
  await checkLook(page);
  await page.getByRole("link", { name: "Open in its source" }).click();
  await page.waitForURL(/chunk=/);
  await expect(chunk).toContainText("Kestrel quarry");
});

test("/ focuses the question, Ctrl+Enter runs it, and the history survives a reload", async ({ page }) => {
  await page.goto("/playground");
  const question = page.getByLabel("Question");
  await page.getByRole("heading", { level: 1 }).click();
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
  await page.keyboard.press("/");
  await expect(question).toBeFocused();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Type a question.")).toBeVisible();
  await page.getByLabel("Threshold").fill("1.5");
  await question.fill(QUESTION);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Must be at most 1", { exact: true })).toBeVisible();
  await page.getByLabel("Threshold").fill("");
  await page.getByLabel("Limit").fill("");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByLabel("Threshold")).toHaveValue("0");
  await expect(page.getByLabel("Limit")).toHaveValue("10");
  await page.getByLabel("Threshold").fill("0.2");
  await page.getByText("Context for the answer").click();
  await page.getByLabel("Client name").fill("Zoltan Quartz");
  await ask(page, QUESTION);
  await expect(page.getByRole("heading", { name: "How this result was found" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Stages" })).toContainText("Vector search");

  const lastRun = page.getByRole("region", { name: "Your earlier runs" }).getByRole("button").first();
  await page.reload();
  await expect(lastRun).toContainText(QUESTION);
  await lastRun.click();
  await expect(question).toHaveValue(QUESTION);
  await expect(page.getByLabel("Threshold")).toHaveValue("0.2");
  expect(await page.content()).not.toContain("Zoltan");
});

test("a run as a key returns the key's results, and does not count as use of the key", async ({ page }) => {
  const policy = JSON.stringify({ path: ["Policies"], limit: 3, answers: false });
  const key = Object(
    await ragstone("key", "create", "--company", await company(), "--name", POLICIES, "--policy", policy),
  );
  await page.goto("/playground");
  await page.getByText("Run as a key").click();
  await page.getByLabel("Key", { exact: true }).selectOption(POLICIES);
  await expect(page.getByText("Only sources below Policies.")).toBeVisible();
  await page.getByLabel("Question").fill(QUESTION);
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(/This API key does not allow AI answers/)).toBeVisible();
  await page.getByRole("switch", { name: "AI answer" }).click();
  await ask(page, QUESTION);
  await expect(results(page).getByRole("status").first()).toHaveText(/^3 results/);
  for (const item of await results(page).getByRole("listitem").all()) await expect(item).toContainText("Policies");
  expect(await page.content()).not.toContain(key.token);

  await results(page).getByLabel("Did you expect another source?").fill("router");
  const explain = page.getByRole("button", { name: "Why not?" });
  await explain.click();
  await expect(results(page).getByText("This source is excluded by the key's path.")).toBeVisible();
  await expect(explain).toBeFocused();
  const linkToRun = page.url();
  await page.goto(`/settings/api-keys/${key.id}`);
  await expect(page.getByText("Never").first()).toBeVisible();
  await expect(page.getByText(/^No questions or refused calls yet/)).toBeVisible();

  await ragstone("key", "revoke", "--id", key.id);
  await page.goto(linkToRun);
  const warning = page.getByText("The key of this request no longer works, so this run is not restricted.");
  await expect(warning).toBeVisible();
  await checkLook(page);
  await page.getByText("Run as a key").click();
  await page.getByLabel("Key", { exact: true }).selectOption("Sample key");
  await expect(warning).toBeHidden();
});

test("the playground works, below the banner, while the API refuses requests", async ({ page }) => {
  const id = await company();
  await ragstone("subscription", "set", "--company", id, "--status", "CANCELLED");
  try {
    expect((await api.retrieve(sample.token(), { queryText: QUESTION })).status).toBe(403);
    await page.goto("/playground");
    await expect(page.getByText(/The API has refused requests since/)).toBeVisible();
    await ask(page, QUESTION);
    await expect(results(page).getByRole("listitem").first()).toContainText(/contract/i);
  } finally {
    await ragstone("subscription", "set", "--company", id, "--status", "ACTIVE");
  }
});

test("a wrong answer can be reported with a note, and resolved", async ({ page }) => {
  await page.goto("/playground");
  await ask(page, QUESTION);
  await page.getByRole("button", { name: "Report as wrong" }).click();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.getByLabel("Problem").fill("The notice is shorter.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByRole("link", { name: "reported answers" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Reported." })).toBeFocused();
  // only the report was sent: Ctrl+Enter in the note does not run the question
  expect(sent).toHaveLength(1);
  await page.getByRole("link", { name: "reported answers" }).click();
  const report = page.getByRole("listitem").filter({ hasText: "The notice is shorter." });
  await expect(report.getByRole("heading", { name: QUESTION })).toBeVisible();
  await report.getByRole("link", { name: "Open request" }).click();
  await expect(page.getByRole("heading", { level: 1, name: QUESTION })).toBeVisible();
  await page.goto("/usage/reports");
  await report.getByRole("button", { name: "Resolve" }).click();
  await expect(report).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("a link to a run or test question that no longer exists says so", async ({ page }) => {
  await page.goto(`/playground?run=${crypto.randomUUID()}`);
  await expect(page.getByRole("heading", { name: "This run cannot be shown again" })).toBeVisible();
  for (const id of [crypto.randomUUID(), "deleted"]) {
    await page.goto(`/playground?test=${id}`);
    await expect(page.getByRole("heading", { name: "This test question does not exist" })).toBeVisible();
  }
});

test("a link with a long question fills in the whole question", async ({ page }) => {
  const question = `Where is my invoice? ${"€".repeat(7_000)}`;
  await page.goto(playgroundLink(question));
  await expect(page.getByLabel("Question")).toHaveValue(question);
});

test("the copied code contains the current request", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/playground?q=Where%20is%20my%20invoice%3F");
  await expect(page.getByLabel("Question")).toHaveValue("Where is my invoice?");
  await page.getByText("Copy as code").click();
  for (const [name, sign] of [
    ["curl", "Authorization: Bearer $RAGSTONE_API_KEY"],
    ["TypeScript", "process.env.RAGSTONE_API_KEY"],
    ["Python", "os.environ['RAGSTONE_API_KEY']"],
  ] as const) {
    await page.getByRole("button", { name, exact: true }).click();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    expect(code).toContain(sign);
    expect(code).toContain("Where is my invoice?");
    expect(code).toContain(new URL("/v1/api/rag/retrieve", variable("E2E_URL")).pathname);
  }
});

test("conditions on metadata narrow the results, and mistakes are named", async ({ page }) => {
  await page.goto("/playground");
  await page.getByLabel("Question").fill(QUESTION);
  await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
  await page.getByText("Filters", { exact: true }).click();
  const metadata = page.getByLabel("Metadata");
  await metadata.fill('{"region": ');
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("alert").filter({ hasText: "The metadata filter is not valid JSON" })).toBeVisible();
  await page.getByText("Copy as code").click();
  await expect(page.getByText("Correct the metadata filter first: it is not valid JSON.")).toBeVisible();
  await metadata.fill('{"year": {"over": 2024}}');
  await page.keyboard.press("Control+Enter");
  await expect(metadata).toHaveAccessibleDescription(/Unknown operator/);
  await metadata.fill('{"no-such-key": "EU"}');
  await ask(page, QUESTION);
  await expect(results(page).getByRole("status").first()).toHaveText(/^No results/);
});

test("the playground has no accessibility violations and fits a phone", async ({ page }) => {
  await page.goto("/playground");
  await ask(page, QUESTION);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await checkLook(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const title of ["Run as a key", "Filters", "Context for the answer", "Copy as code"]) {
    await page.getByText(title, { exact: true }).click();
  }
  await checkLook(page);
});

test("the form does not move when the first results appear", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ("value" in entry && typeof entry.value === "number") shifts.push(entry.value);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [1440, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/playground");
    const form = page.getByRole("main").locator("form").first();
    await expect(page.getByRole("button", { name: "Run" })).toBeEnabled();
    const before = await form.boundingBox();
    await page.evaluate("window.shifts.length = 0");
    await ask(page, QUESTION);
    expect(await form.boundingBox()).toEqual(before);
    expect(before?.x).toBeLessThan(300);
    // in two columns, the answer appears above the results and moves them
    if (width < 1400) continue;
    const shifts = z.array(z.number()).parse(await page.evaluate("window.shifts"));
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.02);
  }
});

test("the answer stays beside the results, and does not cover how they were found", async ({ page }) => {
  await page.goto("/playground");
  await ask(page, QUESTION);
  const trace = page.getByRole("heading", { name: "How this result was found" });
  await expect(trace).toBeVisible();
  await page.mouse.wheel(0, 10_000);
  await expect(trace).toBeInViewport();
  const answer = await page.getByRole("button", { name: "Report as wrong" }).boundingBox();
  expect((answer?.y ?? 0) + (answer?.height ?? 0)).toBeLessThan((await trace.boundingBox())?.y ?? 0);
});
