import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type SmtpServer, startSmtpServer } from "../lib/testing/smtp-server.ts";
import { type OidcServer, startOidcServer } from "./oidc-server.ts";
import { expect, NOBODY, test } from "./people.ts";
import { type NewServer, startNewServer } from "./server.ts";

const PASSWORD = "granite marl slate";
const ADA = { email: "ada@example.com", name: "Ada Basalt", email_verified: true };
const BEN = { email: "ben@example.com", name: "Ben Basalt" };
let oidc: OidcServer;
let smtp: SmtpServer;
let server: NewServer;
let folder: string;

test.use({ storageState: NOBODY });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "ragstone-providers-"));
  [oidc, smtp] = await Promise.all([startOidcServer(), startSmtpServer()]);
  server = await startNewServer(join(folder, "data"), {
    OIDC_ISSUER: oidc.issuer,
    OIDC_CLIENT_ID: oidc.clientId,
    OIDC_CLIENT_SECRET: oidc.clientSecret,
    SMTP_URL: smtp.url,
    MAIL_FROM: "Ragstone <ragstone@example.com>",
  });
  const page = await browser.newPage();
  await page.goto(`${server.url}/setup`);
  await page.getByLabel("Set-up code").fill(server.code);
  await page.getByLabel("Company").fill("Borealis Quarries");
  await page.getByLabel("Your name").fill(ADA.name);
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create company and sign in" }).click();
  await page.waitForURL("**/overview");
  await page.close();
});

test.afterAll(async () => {
  await server?.stop();
  oidc?.close();
  smtp?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function singleSignOn(page: Page, person: OidcServer["person"]): Promise<void> {
  oidc.person = person;
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("button", { name: "Continue with single sign-on" }).click();
}

/** Returns the URL in the newest mail to a person. */
async function mailedLink(to: string): Promise<string> {
  const newest = () => smtp.mails.findLast((mail) => mail.to === to);
  await expect.poll(newest).toBeTruthy();
  // decodes quoted-printable
  const text = newest()?.text.replaceAll("=\n", "").replaceAll("=3D", "=") ?? "";
  return text.match(/https?:\/\/\S+/)?.[0] ?? "";
}

test("single sign-on admits members only", async ({ page, visit }) => {
  await singleSignOn(page, { ...ADA, email: "ADA@example.com" });
  await expect(page).toHaveURL(`${server.url}/overview`);
  await expect(page.getByRole("button", { name: /Your account:.*Ada Basalt.*Admin/ })).toBeVisible();

  const other = await visit();
  const unverified = "Your identity provider did not confirm your email address.";
  for (const [stranger, refusal] of [
    [{ ...ADA, email: "eve@example.com" }, "No account has that email."],
    [{ ...ADA, email_verified: false }, unverified],
    [{ email: ADA.email, name: ADA.name }, unverified],
  ] as const) {
    await singleSignOn(other, stranger);
    await expect(other.getByText(refusal)).toBeVisible();
    await expect(other).toHaveURL(/\/sign-in/);
  }
  await other.goto(`${server.url}/api/auth/callback/oidc?code=made-up&state=made-up`);
  await expect(other.getByText("Single sign-on failed.")).toBeVisible();
});

test("invitations and password resets are sent by mail", async ({ page, visit }) => {
  await singleSignOn(page, ADA);
  await page.waitForURL("**/overview");
  await page.goto(`${server.url}/settings/members`);
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email").fill(BEN.email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByText(`Link sent to ${BEN.email}`)).toBeVisible();

  const invitee = await visit();
  await invitee.goto(await mailedLink(BEN.email));
  await invitee.getByLabel("Your name").fill(BEN.name);
  await invitee.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await invitee.getByRole("button", { name: "Accept invitation" }).click();
  await invitee.waitForURL("**/overview");

  const sent = smtp.mails.length;
  const resetPage = await visit();
  for (const email of ["nobody@example.com", BEN.email]) {
    await resetPage.goto(`${server.url}/forgot`);
    await resetPage.getByLabel("Email").fill(email);
    await resetPage.getByRole("button", { name: "Send the link" }).click();
    await expect(resetPage.getByRole("status")).toBeFocused();
  }
  await expect.poll(() => smtp.mails.length).toBe(sent + 1);
  const reset = await mailedLink(BEN.email);
  await resetPage.goto(reset);
  await resetPage.getByLabel("New password", { exact: true }).fill(`${PASSWORD} again`);
  await resetPage.getByRole("button", { name: "Save and sign in" }).click();
  await resetPage.waitForURL("**/overview");
  // whoever opens the link again can request a new one
  await resetPage.goto(reset);
  await resetPage.getByRole("link", { name: "Request a new link" }).click();
  await expect(resetPage.getByRole("button", { name: "Send the link" })).toBeVisible();
});
