import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { ragstone } from "../fixtures.ts";
import { createPerson, expect, test } from "../people.ts";

/** Presses a control with the keyboard. */
async function press(control: Locator): Promise<void> {
  await control.focus();
  await control.press("Enter");
}

test("the focus moves on when an action removes the control that started it", async ({ visit }) => {
  const { id } = Object(await ragstone("company", "create", "--name", `Focus ${randomUUID()}`));
  const file = test.info().outputPath("rocks.jsonl");
  const rocks = ["Amber", "Beryl", "Chert"].map((title) => ({
    sourceType: "document",
    title,
    content: `${title} shines.`,
  }));
  writeFileSync(file, rocks.map((rock) => JSON.stringify(rock)).join("\n"));
  await ragstone("ingest", "--company", id, file);
  const page = await visit(await createPerson(id, "admin", "Ada Marl"));
  const title = page.getByRole("heading", { level: 1 });
  const menuOf = (name: string) => page.getByRole("button", { name: `Actions for ${name}`, exact: true });
  // a key that is pressed before React has taken over the page is lost
  const open = (query: string) => page.goto(`/knowledge?sort=title&desc=false${query}`, { waitUntil: "networkidle" });
  await open("");

  await press(menuOf("Beryl"));
  await press(page.getByRole("menuitem", { name: "Delete" }));
  await expect(menuOf("Beryl")).toBeHidden();
  await expect(menuOf("Chert")).toBeFocused();

  await page.getByLabel("Select all on this page").click();
  await press(page.getByRole("button", { name: "Cancel" }));
  await expect(title).toBeFocused();
  await page.getByLabel("Select Amber").click();
  await press(page.getByRole("button", { name: "Select all 2 that match" }));
  await expect(page.getByRole("region", { name: "Selected sources" })).toBeFocused();
  await press(page.getByRole("button", { name: "Delete", exact: true }));
  await expect(menuOf("Amber")).toBeHidden();
  await expect(title).toBeFocused();

  await open("&status=deleted");
  await press(page.getByRole("button", { name: "Restore", exact: true }).first());
  await expect(page.getByRole("row", { name: "Amber" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Restore", exact: true }).first()).toBeFocused();

  await page.getByRole("link", { name: "Chert" }).click();
  await expect(title).toHaveText("Chert");
  await press(page.getByRole("button", { name: "Restore", exact: true }));
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toBeHidden();
  await expect(title).toBeFocused();
  await press(page.getByRole("button", { name: "Delete", exact: true }));
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toBeVisible();
  await expect(title).toBeFocused();
});
