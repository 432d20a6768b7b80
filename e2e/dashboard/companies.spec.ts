import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import type { Page } from "@playwright/test";
import { api, ragstone, sample, sampleCompany } from "../fixtures.ts";
import { createPerson, expect, join, type Person, test } from "../people.ts";

const OTHER = "Borealis Quarries";
const QUESTION = "How deep is the gneiss quarry?";
let other: string;
let person: Person;
let key: { id: string; token: string; maskedToken: string };
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(joinPath(tmpdir(), "ragstone-companies-"));
  other = Object(await ragstone("company", "create", "--name", OTHER)).id;
  person = await createPerson(await sampleCompany(), "admin", "Bea Both");
  await join(other, "admin", person);
  key = Object(await ragstone("key", "create", "--company", other, "--name", "Borealis website"));
  const file = joinPath(folder, "quarry.jsonl");
  const source = {
    sourceType: "qa",
    sourceId: "depth",
    question: QUESTION,
    answer: "The gneiss quarry is ninety metres deep.",
  };
  writeFileSync(file, JSON.stringify(source));
  await ragstone("ingest", "--company", other, file);
  expect((await api.retrieve(key.token, { queryText: QUESTION })).body.total).toBe(1);
});

test.afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (other) await ragstone("company", "delete", "--id", other, "--yes");
});

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Company:/ }).click();
  await page.getByRole("menuitemradio", { name }).click();
  await expect(page.getByRole("button", { name: `Company: ${name}` })).toBeVisible();
}

async function setVisibility(page: Page, value: DocumentVisibilityState): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  }, value);
}

test("one company's data never appears in another company", async ({ visit }) => {
  const page = await visit(person);
  await switchTo(page, sample.company);
  await switchTo(page, OTHER);
  await page.goto("/knowledge");
  await expect(page.getByText("1 source", { exact: true })).toBeVisible();
  const source = (await page.getByRole("link", { name: QUESTION }).getAttribute("href")) ?? "";
  await page.goto("/settings/api-keys");
  await expect(page.getByText(key.maskedToken)).toBeVisible();
  await expect(page.getByText("Sample key")).toHaveCount(0);
  await page.goto("/usage");
  await expect(page.getByText(QUESTION).first()).toBeVisible();

  await switchTo(page, sample.company);
  for (const path of ["/overview", "/knowledge?q=gneiss", "/settings/api-keys", "/usage", "/settings/audit-log"]) {
    await page.goto(path, { waitUntil: "networkidle" });
    const html = await page.content();
    for (const foreign of ["gneiss quarry", key.maskedToken, "Borealis website"])
      expect(html, path).not.toContain(foreign);
  }
  for (const path of [source, `${source}/original`, `/settings/api-keys/${key.id}`]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test("an action is refused if its page shows another company than the session", async ({ visit }) => {
  const stale = await visit(person);
  await switchTo(stale, sample.company);
  await stale.goto("/settings/company");
  const fresh = await stale.context().newPage();
  await fresh.goto("/overview");
  await switchTo(fresh, OTHER);

  await stale.getByLabel("Name", { exact: true }).fill("Renamed by mistake");
  await stale.getByRole("button", { name: "Save" }).first().click();
  await expect(stale.getByText(`You are now in ${OTHER}, and this page shows another company.`)).toBeVisible();
  const names = Object(await ragstone("company", "list")).map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining([OTHER, sample.company]));
  expect(names).not.toContain("Renamed by mistake");

  await stale.getByRole("link", { name: "Members" }).click();
  await expect(stale.getByRole("heading", { level: 1, name: "Members" })).toBeVisible();
  await expect(stale.getByRole("button", { name: `Company: ${OTHER}` })).toBeVisible();
  await fresh.close();
});

test("a page that refreshes by itself stays in its company when another tab switches", async ({ visit }) => {
  const stale = await visit(person);
  await switchTo(stale, OTHER);
  await stale.clock.install();
  await stale.goto("/test-questions");
  await stale.getByRole("button", { name: "Add test question" }).click();
  const form = stale.getByRole("dialog", { name: "Add test question" });
  await form.getByLabel("Question", { exact: true }).fill(QUESTION);
  await form.getByLabel("Must be refused").click();
  await form.getByRole("button", { name: "Add test question" }).click();
  await expect(form).toBeHidden();
  // a page that nobody sees does not refresh, so that it still shows the run later
  await setVisibility(stale, "hidden");
  await stale.getByRole("button", { name: "Run now" }).click();
  await expect(stale.getByText("0 of 1 done")).toBeVisible();
  const fresh = await stale.context().newPage();
  await fresh.goto("/overview");
  await switchTo(fresh, sample.company);
  await fresh.close();

  await setVisibility(stale, "visible");
  const refreshes: string[] = [];
  stale.on("request", (request) => request.url().includes("_rsc=") && refreshes.push(request.url()));
  await stale.clock.runFor(30_000);
  await stale.evaluate(() => fetch("/find?q=last"));
  expect(refreshes).toEqual([]);
  await expect(stale.getByRole("button", { name: `Company: ${OTHER}` })).toBeVisible();
});

test("links to a request, a comparison and a run open in their company", async ({ visit }) => {
  const { requestId } = await api.retrieve(key.token, { queryText: QUESTION });
  const page = await visit(person);
  for (const path of [
    `/usage/requests/${requestId}?company=${other}`,
    `/usage/requests/${requestId}/compare/${requestId}?company=${other}`,
    `/playground?run=${requestId}&company=${other}`,
  ]) {
    await switchTo(page, sample.company);
    await page.goto(path);
    await expect(page.getByRole("button", { name: `Company: ${OTHER}` })).toBeVisible();
    await expect(page.getByText(QUESTION).first()).toBeVisible();
  }
});

test("a download belongs to the company that its page shows", async ({ visit }) => {
  const stale = await visit(person);
  await switchTo(stale, OTHER);
  await stale.goto("/knowledge");
  await expect(stale.getByText("1 source", { exact: true })).toBeVisible();
  const fresh = await stale.context().newPage();
  await fresh.goto("/overview");
  await switchTo(fresh, sample.company);

  const download = stale.waitForEvent("download");
  await stale.getByRole("button", { name: "Actions for the knowledge base" }).click();
  await stale.getByRole("menuitem", { name: "Export everything" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines).toEqual([expect.stringContaining("ragstone-knowledge"), expect.stringContaining(QUESTION)]);
  const foreign = await stale.request.get(`/knowledge/export?company=${crypto.randomUUID()}`);
  expect(foreign.status()).toBe(409);
  await fresh.close();
});

test("a company's knowledge can be exported and imported into another company", async ({ visit }) => {
  const importerId = Object(await ragstone("company", "create", "--name", "Borealis Heirs")).id;
  await join(importerId, "admin", person);
  const page = await visit(person);
  await switchTo(page, OTHER);
  await page.goto("/knowledge");
  await page.getByRole("button", { name: "Actions for the knowledge base" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export everything" }).click();
  const file = joinPath(folder, "export.jsonl");
  await (await download).saveAs(file);

  await switchTo(page, "Borealis Heirs");
  await page.goto("/knowledge/add?tab=export");
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByRole("heading", { name: "1 source imported" })).toBeVisible();
  await page.getByRole("link", { name: "Show in list" }).click();
  await expect(page.getByRole("link", { name: QUESTION })).toBeVisible();
  await page.goto("/knowledge/add?tab=export");
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByRole("heading", { name: "Nothing to import" })).toBeVisible();
  await expect(page.getByText("1 unchanged source was skipped.")).toBeVisible();
  await expect(page.getByRole("heading", { name: /imported/ })).toHaveCount(0);
  await ragstone("company", "delete", "--id", importerId, "--yes");
});

test("uploads that a switch of the company stops are reported in the other company", async ({ visit }) => {
  const page = await visit(person);
  await switchTo(page, OTHER);
  await page.goto("/knowledge/add");
  const gate = Promise.withResolvers<void>();
  await page.route("**/knowledge/upload?*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  const upload = { mimeType: "text/markdown", buffer: Buffer.from("# Schist\n\nSchist splits easily.") };
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([
      { name: "schist.md", ...upload },
      { name: "slate.md", ...upload },
    ]);
  await expect(page.getByText("0 of 2 added")).toBeVisible();
  await switchTo(page, sample.company);
  gate.resolve();
  const stopped = `2 of 2 files were not uploaded to ${OTHER}. Switch to that company to retry.`;
  await expect(page.getByText(stopped)).toBeVisible();

  await switchTo(page, OTHER);
  await expect(page.getByText("2 of 2 files were not uploaded.")).toBeVisible();
  await page.getByRole("link", { name: "Show uploads" }).click();
  await page.getByRole("button", { name: "Retry" }).first().click();
  await expect(page.getByText("1 of 2 added, 1 failed")).toBeVisible();
  await switchTo(page, sample.company);
  await expect(page.getByText("not uploaded")).toHaveCount(0);
});
