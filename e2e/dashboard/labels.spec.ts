import type { Page } from "@playwright/test";
import { sampleCompany } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { expect, test } from "../people.ts";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

function file(name: string, text: string) {
  return { name, mimeType: "text/plain", buffer: Buffer.from(text) };
}

async function upload(page: Page, given: ReturnType<typeof file>, audience: string): Promise<void> {
  await page.goto("/knowledge/add");
  const field = page.getByRole("tabpanel", { name: "Files" }).getByLabel("Audience");
  await field.fill(audience);
  if (audience) await field.press("Enter");
  await page.locator("input[type=file]").first().setInputFiles(given);
}

async function openUploaded(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible({ timeout: 50_000 });
}

/** Checks the page in both themes and widths. Saves screenshots if `E2E_PICTURES` names a folder. */
async function checkLooks(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const size of SIZES) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await checkLook(page);
      const folder = process.env.E2E_PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${size.width}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test("a file that is uploaded again keeps its audience, and gains one only after confirmation", async ({ page }) => {
  const name = `pay-${Date.now()}.txt`;
  await upload(page, file(name, "Grade seven earns most."), "internal");
  await openUploaded(page, name);
  await upload(page, file(name, "Grade eight earns most."), "");
  await openUploaded(page, name);
  await expect(page.getByRole("definition").filter({ hasText: /^internal$/ })).toBeVisible();

  await upload(page, file(name, "Grade eight earns most."), "public");
  const question = page.getByRole("alertdialog", { name: "Show to more audiences?" });
  await expect(question.getByText("1 source would become visible to public.")).toBeVisible();
  await checkLooks(page, "upload-question");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("1 of 1 added")).toBeHidden();

  await page.locator("input[type=file]").first().setInputFiles(file(name, "Grade eight earns most."));
  await question.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  await expect(page.getByText("Audience: internal → public")).toBeVisible();
  await checkLooks(page, "upload-done");
});

test("a confirmation allows only what the question said, even when the upload is retried", async ({ page }) => {
  const [narrow, open] = ["narrow", "open"].map((name) => file(`${name}-${Date.now()}.txt`, "Basalt is dark."));
  if (!narrow || !open) throw new Error("no files");
  await upload(page, narrow, "internal");
  await expect(page.getByText("1 of 1 added")).toBeVisible();
  await upload(page, open, "public");
  await expect(page.getByText("1 of 1 added")).toBeVisible();

  await page.goto("/knowledge/add");
  // one upload fails after the confirmation
  await page.route(`**/knowledge/upload?name=${open.name}&*`, (route) => route.abort(), { times: 1 });
  const field = page.getByRole("tabpanel", { name: "Files" }).getByLabel("Audience");
  await field.fill("public");
  await field.press("Enter");
  await page.locator("input[type=file]").first().setInputFiles([narrow, open]);
  const question = page.getByRole("alertdialog", { name: "Show to more audiences?" });
  await expect(question.getByText("1 source would become visible to public.")).toBeVisible();
  await question.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("1 of 2 added, 1 failed")).toBeVisible();

  // another admin narrows that source in the meantime
  const labels = JSON.stringify({ audience: ["internal"], contentCategory: "", path: "" });
  const address = `/knowledge/upload?${new URLSearchParams({ name: open.name, labels, widenTo: '["internal"]' })}`;
  const headers = { "x-ragstone-company": await sampleCompany(), "content-type": "application/octet-stream" };
  expect((await page.request.post(address, { headers, data: open.buffer })).status()).toBe(200);
  await page.getByRole("button", { name: "Retry" }).click();
  const refusal = "1 source would become visible to public. Add the file again to confirm.";
  await expect(page.getByText(refusal)).toBeVisible();
  await expect(page.getByRole("button", { name: "Retry" })).toHaveCount(0);
  await expect(page.getByText("1 of 2 added, 1 failed")).toBeVisible();
});

test("an import lists the labels that it changes, and asks before it widens an audience", async ({ page }) => {
  const rows = (audience: string) =>
    file("faq.csv", `question,answer,audience,sourceId\nWhat is granite?,A rock.,${audience},granite\n`);
  async function choose(audience: string): Promise<void> {
    await page.goto("/knowledge/add?tab=csv");
    await page.locator("input[type=file]").setInputFiles(rows(audience));
    await expect(page.getByRole("button", { name: "Choose another file" })).toBeVisible();
  }
  await choose("internal");
  await page.getByRole("button", { name: "Import 1 question" }).click();
  await expect(page.getByRole("heading", { name: "1 question imported" })).toBeVisible();
  await choose("");
  await expect(page.getByRole("tab", { name: "Unchanged 1", exact: true })).toBeVisible();
  await choose("public");
  await expect(page.getByText("Audience: internal → public")).toBeVisible();
  await checkLooks(page, "import-preview");
  await page.getByRole("button", { name: "Import 1 question" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question.getByText("1 source would become visible to public.")).toBeVisible();
  await question.getByRole("button", { name: "Import 1 question" }).click();
  await expect(page.getByText("Audience: internal → public")).toBeVisible();
  await checkLooks(page, "import-done");
});

test("an import asks before a question that was deleted returns with a wider audience", async ({ page }) => {
  async function choose(audience: string): Promise<void> {
    const text = `question,answer,audience,sourceId\nWhat is tuff?,A soft rock.,${audience},tuff\n`;
    await page.goto("/knowledge/add?tab=csv");
    await page.locator("input[type=file]").setInputFiles(file("faq.csv", text));
    await page.getByRole("button", { name: "Import 1 question" }).click();
  }
  await choose("internal");
  await page.getByRole("link", { name: "Show questions" }).click();
  await page.getByRole("link", { name: "What is tuff?", exact: true }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("1 source deleted")).toBeVisible();

  await choose("public");
  const question = page.getByRole("alertdialog");
  await expect(question.getByText("1 source would become visible to public.")).toBeVisible();
  await question.getByRole("button", { name: "Import 1 question" }).click();
  await expect(page.getByRole("heading", { name: "1 question imported" })).toBeVisible();
});
