import { checkLook } from "../inspect.ts";
import { expect, test } from "../people.ts";

function csv(name: string, ...rows: string[]) {
  const text = ["question,answer,sourceId", ...rows].join("\n");
  return { name, mimeType: "text/csv", buffer: Buffer.from(text) };
}

test("questions from a CSV file are previewed before the import", async ({ page }) => {
  await page.goto("/knowledge/add?tab=csv");
  const choose = page.locator("input[type=file]");
  await choose.setInputFiles(
    csv("faq.csv", "Do you sell fossils?,No.,fossils", ",Nobody asked.,", "Is marl a stone?,Nearly.,marl"),
  );
  await expect(page.getByRole("tab", { name: "New 2" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Invalid 1" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("row", { name: /^3 .*question/ })).toBeVisible();

  const other = await page.context().newPage();
  await other.goto("/knowledge?q=fossils");
  await expect(other.getByText("No sources match.")).toBeVisible();
  await other.close();

  await page.getByRole("button", { name: "Import 2 questions" }).click();
  await expect(page.getByRole("heading", { name: "2 questions imported" })).toBeVisible();
  await page.getByRole("button", { name: "Import another file" }).click();
  await choose.setInputFiles(csv("faq.csv", "Do you sell fossils?,Yes.,fossils", "Is marl a stone?,Nearly.,marl"));
  await expect(page.getByRole("tab", { name: "Changed 1", exact: true })).toBeVisible();
  await expect(page.getByRole("tab", { name: "Unchanged 1", exact: true })).toBeVisible();
  await expect(page.locator("del", { hasText: "No." })).toBeVisible();
  await checkLook(page);

  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose.setInputFiles(csv("more.csv", "Is marl a stone?,It is a rock.,"));
  const replaced = page.locator("del", { hasText: "Nearly." });
  await expect(replaced).toBeVisible();
  await page.getByLabel("Replace existing answers").uncheck();
  await expect(replaced).toBeHidden();
  await expect(page.getByText("Already answered in Is marl a stone?Nearly.")).toBeVisible();
  await checkLook(page);
});
