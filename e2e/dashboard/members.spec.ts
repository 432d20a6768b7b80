import type { Page } from "@playwright/test";
import { SUPPORT_MAY } from "../../lib/auth/role-words.ts";
import { ragstone } from "../fixtures.ts";
import { inspect } from "../inspect.ts";
import { createPerson, expect, fillSignIn, test } from "../people.ts";

const PASSWORD = "granite marl slate";

async function invite(page: Page, email: string): Promise<string> {
  await page.goto("/settings/members");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog.getByLabel("Link", { exact: true }).inputValue();
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("cell", { name: email, exact: true })).toBeVisible();
  return new URL(link).pathname;
}

test("an invitation link adds a member, and works once", async ({ page, visit }) => {
  const email = `mia-${Date.now()}@example.com`;
  const link = await invite(page, email);
  const invitee = await visit();
  await inspect(invitee, link);
  await expect(invitee.getByRole("heading", { name: "Join Valtessa" })).toBeVisible();
  await expect(invitee.getByText(`support: you can ${SUPPORT_MAY}`)).toBeVisible();
  await invitee.getByLabel("Your name").fill("Mia Marl");
  await invitee.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await invitee.getByRole("button", { name: "Accept invitation" }).click();
  await expect(invitee).toHaveURL("/overview");
  await expect(invitee.getByRole("button", { name: /Your account:.*Mia Marl.*Support/ })).toBeVisible();

  const late = await visit();
  await late.goto(link);
  await expect(late.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("row", { name: /Mia Marl/ })).toBeVisible();
  await expect(page.getByRole("button", { name: `Withdraw the invitation for ${email}` })).toBeHidden();

  // an admin creates a reset link for a member who forgot the password
  await page.getByRole("button", { name: "Actions for Mia Marl" }).click();
  await page.getByRole("menuitem", { name: "Create password link" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  // the link is shown once
  await expect(page.getByLabel("Link", { exact: true })).toBeVisible();
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  const reset = new URL(await page.getByLabel("Link", { exact: true }).inputValue()).pathname;
  await inspect(late, reset);
  await late.getByLabel("New password", { exact: true }).fill(`${PASSWORD} again`);
  await late.getByRole("button", { name: "Save and sign in" }).click();
  await expect(late).toHaveURL("/overview");
  await invitee.goto("/knowledge");
  await expect(invitee).toHaveURL(/\/sign-in/);
  await fillSignIn(invitee, { email, password: `${PASSWORD} again` });
  await expect(invitee).toHaveURL("/knowledge");
});

test("the link of a withdrawn invitation does not work", async ({ page, visit }) => {
  const email = `nina-${Date.now()}@example.com`;
  const link = await invite(page, email);
  await page.getByRole("button", { name: `Withdraw the invitation for ${email}` }).click();
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  // while the dialog is open, the table behind it counts as hidden
  await expect(page.getByRole("alertdialog")).toBeHidden();
  await expect(page.getByRole("cell", { name: email, exact: true })).toBeHidden();
  const invitee = await visit();
  await invitee.goto(link);
  await expect(invitee.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("an account created through a link joins another company with its current and a new password", async ({
  page,
  visit,
}) => {
  const email = `rosa-${Date.now()}@example.com`;
  const invitee = await visit();
  await invitee.goto(await invite(page, email));
  await invitee.getByLabel("Your name").fill("Rosa Rhyolite");
  await invitee.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await invitee.getByRole("button", { name: "Accept invitation" }).click();
  await expect(invitee).toHaveURL("/overview");

  const { id } = Object(await ragstone("company", "create", "--name", "Quartz Ltd"));
  const owner = await createPerson(id, "admin", "Quentin Quartz");
  const admin = await visit(owner);
  const link = await invite(admin, email);
  // opening the link reveals nothing about the account to its creator
  await inspect(admin, link);
  await expect(admin.getByText("You are signed in as someone else.")).toBeVisible();
  await admin.getByRole("button", { name: "Sign out" }).click();
  await expect(admin).toHaveURL("/sign-in");

  const elsewhere = await visit();
  await inspect(elsewhere, link);
  await expect(elsewhere.getByLabel("Current password")).toBeVisible();
  await elsewhere.getByLabel("New password", { exact: true }).fill(`${PASSWORD} again`);
  await elsewhere.getByLabel("Current password").fill("a wrong one");
  await elsewhere.getByRole("button", { name: "Save and join" }).click();
  await expect(elsewhere.getByText("Wrong email or password.")).toBeVisible();
  await elsewhere.getByLabel("Current password").fill(PASSWORD);
  await elsewhere.getByRole("button", { name: "Save and join" }).click();
  await expect(elsewhere).toHaveURL("/overview");
  await invitee.goto("/knowledge");
  await expect(invitee).toHaveURL(/\/sign-in/);
});
