import { isDeepStrictEqual } from "node:util";
import type { Page } from "@playwright/test";
import { checkLook } from "../inspect.ts";
import { expect, test } from "../people.ts";

const COUNT = 40;

function files(prefix: string, count = COUNT) {
  return Array.from({ length: count }, (_, index) => {
    const name = `${prefix}-${index + 1}.md`;
    return { name, mimeType: "text/markdown", buffer: Buffer.from(`# ${name}\n\nGranite weathers slowly.`) };
  });
}

/** Lets `through` uploads pass and holds the others until the returned function is called. */
async function holdUploads(page: Page, through: number): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  let seen = 0;
  await page.route("**/knowledge/upload?*", async (route) => {
    seen++;
    if (seen > through) await gate.promise;
    await route.continue().catch(() => undefined);
  });
  return gate.resolve;
}

async function choose(page: Page, chosen: ReturnType<typeof files>): Promise<void> {
  const zone = page.getByRole("region", { name: "Drop files here" });
  // the browser asks for confirmation only after an interaction with the page
  await zone.click({ position: { x: 5, y: 5 } });
  await page.locator("input[type=file]").first().setInputFiles(chosen);
}

async function fillLabels(page: Page, audience: string, path: string): Promise<void> {
  const panel = page.getByRole("tabpanel", { name: "Files" });
  await panel.getByLabel("Audience").fill(audience);
  await panel.getByLabel("Audience").press("Enter");
  await panel.getByLabel("Path").fill(path);
}

/** The labels of every upload that the page sends from now on, by file name. */
function sentLabels(page: Page): Map<string, unknown> {
  const sent = new Map<string, unknown>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== "/knowledge/upload") return;
    sent.set(searchParams.get("name") ?? "", JSON.parse(searchParams.get("labels") ?? "null"));
  });
  return sent;
}

test("leaving during uploads asks for confirmation, and unfinished uploads can be completed later", async ({
  page,
}) => {
  const chosen = files(`left-${Date.now()}`);
  await page.goto("/knowledge/add");
  await holdUploads(page, 6);
  await fillLabels(page, "internal", "Staff / Pay");
  await choose(page, chosen);
  await expect(page.getByText(`6 of ${COUNT} added`)).toBeVisible();

  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
  await expect(page.getByRole("heading", { name: `34 of ${COUNT} files were not uploaded` })).toBeVisible();
  const missing = page.getByRole("list", { name: "Files that were not uploaded" }).getByRole("listitem");
  await expect(missing).toHaveCount(34);
  await expect(missing.getByText("Audience: internal · Path: Staff / Pay")).toHaveCount(34);
  await expect(page.getByText("Where a field above is empty, these files get the labels")).toBeVisible();
  await checkLook(page);

  await page.goto("/knowledge");
  await expect(page.getByText(`34 of ${COUNT} files were not uploaded.`)).toBeVisible();
  await page.getByRole("link", { name: "Finish uploading" }).click();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const sent = sentLabels(page);
  const given = { audience: ["internal"], contentCategory: "", path: "Staff / Pay" };
  const category = page.getByRole("tabpanel", { name: "Files" }).getByLabel("Category");
  await category.fill("pay");
  await choose(page, chosen.slice(-1));
  await expect(page.getByRole("heading", { name: /^33 of \d+ files were not uploaded$/ })).toBeVisible();
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  expect([...sent.values()]).toEqual([{ ...given, contentCategory: "pay" }]);

  await category.clear();
  await choose(page, chosen);
  await expect(page.getByText(`${COUNT + 1} of ${COUNT + 1} added`)).toBeVisible({ timeout: 60_000 });
  expect([...sent.values()].filter((labels) => isDeepStrictEqual(labels, given))).toHaveLength(33);
  await expect(page.getByText("Unchanged", { exact: true })).toHaveCount(7);
  await expect(page.getByText("were not uploaded")).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "Drop files here" })).toBeVisible();
  await expect(page.getByText("were not uploaded")).toHaveCount(0);
});

test("uploads continue while other pages of the dashboard are shown", async ({ page }) => {
  await page.goto("/knowledge/add");
  const releaseUploads = await holdUploads(page, 2);
  await choose(page, files(`walked-${Date.now()}`, 8));
  await expect(page.getByText("2 of 8 added")).toBeVisible();
  await page.getByRole("link", { name: "Playground" }).first().click();
  await expect(page).toHaveURL(/\/playground/);
  await expect(page.getByText("Uploading 3 of 8. Keep this tab open.")).toBeVisible();
  await checkLook(page);
  releaseUploads();
  await expect(page.getByText("Keep this tab open.")).toHaveCount(0);
  await page.getByRole("link", { name: "Knowledge" }).first().click();
  await page.getByRole("link", { name: "Add", exact: false }).first().click();
  await expect(page.getByText("8 of 8 added")).toBeVisible();
});

test("an upload is retried if the server is busy", async ({ page }) => {
  let refused = 0;
  await page.goto("/knowledge/add");
  await page.route("**/knowledge/upload?*", async (route) => {
    if (refused++ > 0) return route.continue();
    const body = { ok: false, error: "The database is unavailable. Retry in a few seconds", issues: [] };
    await route.fulfill({ status: 503, headers: { "retry-after": "1" }, json: body });
  });
  await choose(page, files(`busy-${Date.now()}`, 1));
  await expect(page.getByText("1 of 1 added")).toBeVisible();
});

test("unreadable files are refused before they are sent", async ({ page }) => {
  let sent = 0;
  await page.goto("/knowledge/add");
  await page.route("**/knowledge/upload?*", (route) => {
    sent++;
    return route.continue();
  });
  const text = { mimeType: "application/octet-stream", buffer: Buffer.from("MZ\u0090") };
  await choose(page, [
    { name: "slides.ppt", ...text },
    { name: "setup.exe", ...text },
    { name: "empty.md", mimeType: "text/markdown", buffer: Buffer.alloc(0) },
  ]);
  await expect(page.getByText("0 of 3 added, 3 failed")).toBeVisible();
  await expect(page.getByText("Old PowerPoint files (.ppt) are not supported. Save the file as .pptx")).toBeVisible();
  await expect(page.getByText("Files of type .exe are not supported.")).toBeVisible();
  await expect(page.getByText("The file is empty.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
  expect(sent).toBe(0);
});

/** Drops folders together, each with its files. A browser lets no script create the entries of real folders. */
async function dropFolders(page: Page, folders: Record<string, string[]>): Promise<void> {
  // scripts take dropped files only once the page is hydrated
  await expect(page.getByRole("button", { name: "Choose files" })).toBeEnabled();
  await page.getByRole("region", { name: "Drop files here" }).evaluate((zone, dropped) => {
    const entries = Object.entries(dropped).map(([folder, names]) => {
      const files = names.map((name) => ({
        ...{ name, isFile: true, isDirectory: false, fullPath: `/${folder}/${name}` },
        file: (take: (file: File) => void) => take(new File([`# ${folder}`], name)),
      }));
      const batches = [files, []];
      const readEntries = (take: (batch: object[]) => void) => take(batches.shift() ?? []);
      const entry = { name: folder, isFile: false, isDirectory: true, fullPath: `/${folder}` };
      return { ...entry, createReader: () => ({ readEntries }) };
    });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }));
    Object.defineProperty(event, "dataTransfer", { value: { items } });
    zone.dispatchEvent(event);
  }, folders);
}

test("files of the same name in two folders are both added, and a name that repeats is refused", async ({ page }) => {
  const [germany, france] = [`germany-${Date.now()}`, `france-${Date.now()}`];
  await page.goto("/knowledge/add");
  await dropFolders(page, { [germany]: ["readme.md", "only.md"], [france]: ["readme.md"], ".git": ["config.md"] });
  await expect(page.getByText("3 of 3 added")).toBeVisible();
  for (const name of [`${germany}/readme.md`, `${germany}/only.md`, `${france}/readme.md`]) {
    await expect(page.getByRole("link", { name, exact: true })).toBeVisible();
  }
  const alone = `${germany}-alone.md`;
  await dropFolders(page, { [germany]: [alone], ".git": [] });
  await expect(page.getByRole("link", { name: alone, exact: true })).toBeVisible();

  const [twice] = files(`twice-${Date.now()}`, 1);
  await choose(page, twice ? [twice, twice] : []);
  await expect(page.getByText("5 of 6 added, 1 failed")).toBeVisible();
  await expect(page.getByText("Another file of this upload has the same name.")).toBeVisible();
});

test("the file of a source without a type in its name is replaced by a file of any type", async ({ page }) => {
  const name = `manual-${Date.now()}`;
  const [given] = files(name, 1);
  await page.goto("/knowledge/add");
  await choose(page, given ? [{ ...given, name }] : []);
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible({ timeout: 60_000 });
  const sent = page.waitForRequest("**/knowledge/upload?*");
  await page.getByLabel("New file").setInputFiles({
    ...{ name: "manual.txt", mimeType: "text/plain", buffer: Buffer.from("Marl weathers fast.") },
  });
  await expect(page.getByText("File replaced")).toBeVisible();
  const query = new URL((await sent).url()).searchParams;
  expect([query.get("name"), query.get("fileName")]).toEqual([name, name]);
});

test("uploads that fail while another page is shown are reported until their list is seen", async ({ page }) => {
  await page.goto("/knowledge/add");
  const gate = Promise.withResolvers<void>();
  let seen = 0;
  await page.route("**/knowledge/upload?*", async (route) => {
    seen++;
    if (seen <= 2) return route.continue();
    await gate.promise;
    return route.abort();
  });
  await choose(page, files(`failed-${Date.now()}`, 5));
  await expect(page.getByText("2 of 5 added")).toBeVisible();
  const openPlayground = () => page.getByRole("link", { name: "Playground" }).first().click();
  await openPlayground();
  await expect(page.getByText("Keep this tab open.")).toBeVisible();
  gate.resolve();
  await expect(page.getByText("3 of 5 files were not uploaded.")).toBeVisible();
  await checkLook(page);
  await page.getByRole("link", { name: "Show uploads" }).click();
  await expect(page.getByText("2 of 5 added, 3 failed")).toBeVisible();
  await openPlayground();
  await expect(page).toHaveURL(/\/playground/);
  await expect(page.getByText("were not uploaded")).toHaveCount(0);
});
