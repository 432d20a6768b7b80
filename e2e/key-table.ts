import { expect, type Locator, type Page } from "@playwright/test";

/** Creates a key with the form's defaults, and returns the token that the dialog shows. */
export async function createKey(page: Page, name: string, fill?: (dialog: Locator) => Promise<void>): Promise<string> {
  await page.goto("/settings/api-keys?create=1");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await fill?.(dialog);
  await dialog.getByRole("button", { name: "Create key" }).click();
  return shownToken(dialog, name);
}

export async function shownToken(dialog: Locator, name: string): Promise<string> {
  const input = dialog.getByLabel(`Key “${name}”`);
  await expect(input).toHaveValue(/^ragstone_live_[0-9A-Za-z]{38}$/);
  return input.inputValue();
}

export async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "I saved the key" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
}

export function row(page: Page, name: string): Locator {
  return page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
}

export async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}
