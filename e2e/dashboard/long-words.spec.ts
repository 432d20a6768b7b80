import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { api, ragstone } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

const word = (length: number) => "Donaudampfschifffahrt".repeat(50).slice(0, length);
const SOURCE = {
  sourceType: "document",
  sourceId: word(150),
  title: word(200),
  content: `# ${word(150)}\n\nWord ${word(400)} is long.`,
  audience: [word(100)],
  contentCategory: word(100),
  path: [word(100), word(100)],
};

test("names of maximum length without spaces do not widen any page", async ({ visit }) => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), "ragstone-words-"));
  const company = Object(await ragstone("company", "create", "--name", word(100)));
  try {
    const file = join(folder, "long.jsonl");
    writeFileSync(file, JSON.stringify(SOURCE));
    await ragstone("ingest", "--company", company.id, file);
    const key = Object(await ragstone("key", "create", "--company", company.id, "--name", word(50)));
    const question = { queryText: word(300), returnMode: "ai_generated_answer" };
    const { body, requestId } = await api.retrieve(key.token, question);
    await api.retrieve(key.token, { [word(300)]: true });

    const page = await visit(await createPerson(company.id, "admin", word(30)));
    // the audit log then has the long question
    await page.goto(`/usage/requests/${requestId}`);
    await page.getByRole("button", { name: "Report as wrong" }).click();
    await page.getByRole("button", { name: "Send report" }).click();
    await expect(page.getByRole("link", { name: "reported answers" })).toBeVisible();
    await page.goto(`/playground?run=${requestId}`);
    await page.getByRole("button", { name: "Run" }).click();
    await expect(page.getByRole("region", { name: "Results" }).getByRole("listitem")).toHaveCount(1);
    const paths = [
      page.url(),
      "/overview",
      "/knowledge",
      `/knowledge/chunks/${Object(body).results[0].id}`,
      "/usage",
      "/usage/requests",
      `/usage/requests/${requestId}`,
      "/settings/api-keys",
      `/settings/api-keys/${key.id}`,
      "/settings/subscription",
      "/settings/members",
      "/settings/company",
      "/settings/audit-log",
      "/settings/profile",
    ];
    for (const path of paths) {
      if (path !== page.url()) await page.goto(path, { waitUntil: "networkidle" });
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width);
      }
    }
    const frame = await page.getByRole("complementary").first().boundingBox();
    const switcher = await page.getByRole("button", { name: /^Company:/ }).boundingBox();
    expect(switcher?.width).toBeLessThan(frame?.width ?? 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await ragstone("company", "delete", "--id", company.id, "--yes");
  }
});
