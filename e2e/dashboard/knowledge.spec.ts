import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { api, sample, sampleCompany } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, test } from "../people.ts";
import { root } from "../server.ts";

const PDF = join(root, "sample", "documents", "policies", "service-level-agreement.pdf");

function row(page: Page, title: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name: title, exact: true }) });
}

async function search(page: Page, words: string): Promise<void> {
  await page.goto(`/knowledge?q=${encodeURIComponent(words)}`);
}

async function addText(page: Page, title: string, text: string): Promise<void> {
  await page.goto("/knowledge/add?tab=text");
  await page.getByLabel("Title").fill(title);
  await page.getByRole("textbox", { name: "Text", exact: true }).fill(text);
  await page.getByRole("button", { name: "Add text" }).click();
  await expect(page).toHaveURL(/\/knowledge\/[\da-f-]{36}$/);
}

test("a PDF is uploaded, processed and shown with page numbers; its original can be downloaded", async ({ page }) => {
  await page.goto("/knowledge/add");
  await page.getByLabel("Category").fill("uploaded");
  await page.locator("input[type=file]").first().setInputFiles(PDF);
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  await page.getByRole("link", { name: "service-level-agreement.pdf" }).click();

  await expect(page.getByText("Ready", { exact: true })).toBeVisible({ timeout: 50_000 });
  await expect(page.getByText(/Page 1 · #1/)).toBeVisible();
  await expect(page.getByText("uploaded", { exact: true })).toBeVisible();

  await expect(page.getByRole("link", { name: "Original" })).toHaveAttribute("href", /\/original\?company=[\w-]{36}$/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Original" }).click();
  expect((await download).suggestedFilename()).toBe("service-level-agreement.pdf");
  const original = await page.request.get(`${page.url()}/original`);
  expect(original.headers()).toMatchObject({
    "content-disposition": expect.stringMatching(/^attachment/),
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
  });
});

test("a folder can be chosen, and its files are named by their paths", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "ragstone-folder-"));
  for (const name of ["shale.txt", "deep/slate.md", ".DS_Store"]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `What ${name} is about.`);
  }
  await page.goto("/knowledge/add");
  const zone = page.getByRole("region", { name: "Drop files here" });
  await expect(zone.getByRole("button", { name: "Choose a folder" })).toBeEnabled();
  await page.locator('input[aria-label="Folder"]').setInputFiles(folder);
  await expect(page.getByText("2 of 2 added")).toBeVisible();
  await search(page, "slate.md");
  await expect(row(page, "slate.md")).toHaveCount(1);
  await expect(row(page, "slate.md").getByText("deep/slate.md")).toBeVisible();
  rmSync(folder, { recursive: true });
});

test("a file that cannot be processed shows the reason, and can be retried", async ({ page }) => {
  await page.goto("/knowledge/add");
  const broken = { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("no PDF") };
  const empty = { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) };
  await page.locator("input[type=file]").first().setInputFiles([broken, empty]);
  await expect(page.getByText("1 of 2 added, 1 failed")).toBeVisible();
  await expect(page.getByText("The file is empty.")).toBeVisible();
  await search(page, "broken.pdf");
  const status = (name: RegExp) => row(page, "broken.pdf").getByRole("cell", { name });
  await expect(status(/^Failed$/)).toBeVisible({ timeout: 50_000 });
  await expect(row(page, "broken.pdf").getByText(/is named \.pdf but its content is/)).toBeVisible();
  await row(page, "broken.pdf").getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("1 source queued for re-indexing")).toBeVisible();
  await expect(status(/^Failed$/)).toBeVisible({ timeout: 50_000 });
});

test("a question is added, found by search, deleted and restored", async ({ page }) => {
  await page.goto("/knowledge/add?tab=question");
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Must not be empty").first()).toBeVisible();
  await page.getByLabel("Question", { exact: true }).fill("Where is the quarry?");
  await page.getByLabel("Answer", { exact: true }).fill("Behind the travertine depot.");
  await page.getByLabel("Other phrasings").fill("Which way to the open pit?\nHow do I reach the excavators?");
  await page.getByRole("button", { name: "Add question" }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible({ timeout: 50_000 });
  await expect(page.getByText("#1–4, one with the answer and one for each phrasing")).toBeVisible();
  const asked = await api.retrieve(sample.token(), { queryText: "How do I reach the excavators?", limit: 1 });
  expect(asked.body.results).toMatchObject([{ payload: { title: "Where is the quarry?" } }]);

  await search(page, "travertine depots");
  await page.getByRole("button", { name: "Actions for Where is the quarry?" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(row(page, "Where is the quarry?")).toBeHidden();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(row(page, "Where is the quarry?")).toBeVisible();
});

test("hostile content is shown as text", async ({ page }) => {
  const hostile =
    "<img src=x onerror=alert(1)><script>alert(2)</script> [click](javascript:alert(3)) ![i](https://x.example/i.png)";
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await addText(page, "<b>Bold</b> title", `Gneiss.\n\n\`\`\`\n${hostile}\n\`\`\``);
  await expect(page.getByText("Ready", { exact: true })).toBeVisible({ timeout: 50_000 });
  await expect(page.getByRole("heading", { name: "<b>Bold</b> title" })).toBeVisible();
  await expect(page.getByText("<script>alert(2)</script>")).toBeVisible();
  expect(await page.locator("main img, main a[href^=javascript]").count()).toBe(0);
  expect(dialogs).toEqual([]);
});

test("labels of several sources change together", async ({ page }) => {
  for (const title of ["Basalt columns", "Basalt dust"]) await addText(page, title, `${title} in words.`);
  await search(page, "basalt");
  await page.getByLabel("Select all on this page").click();
  await page.getByRole("button", { name: "Change labels" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Set the category").click();
  await dialog.getByLabel("Category", { exact: true }).fill("volcanic");
  await dialog.getByLabel("Set the path").click();
  await dialog.getByLabel("Path", { exact: true }).fill("Rocks / Dark");
  await dialog.getByLabel("Change the audience").click();
  await dialog.getByLabel("Change", { exact: true }).selectOption("add");
  await dialog.getByLabel("Audience", { exact: true }).fill("geologists,");
  await dialog.getByRole("button", { name: "Change labels" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Change labels" }).click();
  await expect(page.getByText("Labels of 2 sources changed")).toBeVisible();
  await page.getByLabel("Category").selectOption({ label: "volcanic (2)" });
  await expect(page).toHaveURL(/category=volcanic/);
  await expect(page.getByText("2 sources", { exact: true })).toBeVisible();
});

test("a source's labels can be edited on its page, and invalid JSON is refused", async ({ page }) => {
  await addText(page, "Schist", "Schist splits easily.");
  await page.getByRole("button", { name: "Edit labels" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Category").fill("metamorphic");
  await dialog.getByLabel("Path").fill("Rocks / Layered");
  await dialog.getByLabel("Metadata").fill("{ owner: Ada }");
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await expect(dialog.getByText(/JSON/).first()).toBeVisible();
  await expect(dialog.getByLabel("Metadata")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Metadata").fill('{ "owner": "Ada" }');
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await expect(dialog).toBeHidden();
  for (const label of ["metamorphic", "Rocks / Layered", "Ada"]) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Edit labels" })).toBeFocused();
});

test("labels that another admin has changed in the meantime are not overwritten", async ({ page, context }) => {
  await addText(page, "Gneiss", "Gneiss has bands.");
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByRole("button", { name: "Edit labels" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Category").fill("banded");
  await other.getByRole("button", { name: "Edit labels" }).click();
  await other.getByRole("dialog").getByLabel("Path").fill("Rocks / Banded");
  await other.getByRole("dialog").getByRole("button", { name: "Save labels" }).click();
  await expect(other.getByRole("dialog")).toBeHidden();

  await dialog.getByRole("button", { name: "Save labels" }).click();
  await expect(dialog.getByText("The source has changed.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Rocks / Banded", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Edit labels" }).click();
  await dialog.getByLabel("Category").fill("banded");
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await expect(dialog).toBeHidden();
  for (const label of ["banded", "Rocks / Banded"]) {
    await expect(page.getByText(label, { exact: true })).toBeVisible();
  }
});

test("several sources can be re-indexed, deleted and restored together, and the list can be sorted", async ({
  page,
}) => {
  const all = ["Tuff one", "Tuff three", "Tuff two"];
  for (const title of all) await addText(page, title, `${title} in words.`);
  await search(page, "tuff");
  const titles = page.getByRole("row").getByRole("link", { name: /^Tuff/ });
  await page.getByRole("button", { name: "Source" }).click();
  await expect(page).toHaveURL(/sort=title/);
  await expect(titles).toHaveText(all);
  await page.getByRole("button", { name: "Source" }).click();
  await expect(titles).toHaveText(all.toReversed());

  await page.getByLabel("Select all on this page").click();
  await page.getByRole("button", { name: "Re-index" }).click();
  await expect(page.getByText("3 sources queued for re-indexing")).toBeVisible();
  for (const title of ["Tuff one", "Tuff two"]) await page.getByLabel(`Select ${title}`).check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(titles).toHaveText(["Tuff three"]);
  // an undo keeps what is selected since
  await page.getByLabel("Select Tuff three").check();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(titles).toHaveCount(3);
  await expect(page.getByText("1 selected")).toBeVisible();
});

test("all sources that match are selected beyond the page, and deleting them asks for their number", async ({
  page,
}) => {
  await page.goto("/knowledge/add");
  await expect(page.getByRole("tab", { name: "Text", exact: true })).toBeEnabled();
  await page.getByLabel("Category").fill("pumice");
  const files = Array.from({ length: 51 }, (_, index) => ({
    ...{ name: `pumice-${index}.txt`, mimeType: "text/plain", buffer: Buffer.from(`Pumice number ${index} floats.`) },
  }));
  await page.locator("input[type=file]").first().setInputFiles(files);
  await expect(page.getByText("51 of 51 added")).toBeVisible();
  await page.goto("/knowledge?category=pumice");
  await page.getByLabel("Select all on this page").click();
  await page.getByRole("button", { name: "Select all 51 that match" }).click();
  await expect(page.getByText("51 selected")).toBeVisible();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete 51 sources?" });
  await expect(dialog.getByRole("button", { name: "Delete 51 sources" })).toBeDisabled();
  await dialog.getByRole("textbox").fill("51");
  await checkLook(page);
  await dialog.getByRole("button", { name: "Delete 51 sources" }).click();
  await expect(page.getByText("51 sources deleted")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByText("51 sources restored")).toBeVisible();
});

test("support staff can read but not change knowledge", async ({ visit }) => {
  const company = await sampleCompany();
  const page = await visit(await createPerson(company, "support"));
  await page.goto("/knowledge");
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await expect(page.getByRole("link", { name: "Add knowledge" })).toBeHidden();
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  expect((await page.request.get("/knowledge/export")).status()).toBe(403);
  const headers = { "x-ragstone-company": company };
  for (const path of ["/knowledge/upload?name=x.txt&labels={}", "/knowledge/import", "/knowledge/questions"]) {
    expect((await page.request.post(path, { headers, data: "x" })).status(), path).toBe(403);
  }
});
