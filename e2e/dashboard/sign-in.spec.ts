import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { sample, sampleCompany, variable } from "../fixtures.ts";
import { createPerson, expect, fillSignIn, NOBODY, test } from "../people.ts";

const REFUSED = "Wrong email or password. After several failed attempts, sign-in is paused for a few minutes.";

test.use({ storageState: NOBODY });

async function refused(page: Page, email: string, password: string): Promise<void> {
  const answered = page.waitForResponse(/\/api\/auth\/callback\/credentials/);
  await fillSignIn(page, { email, password });
  expect((await answered).status()).toBe(401);
  await expect(page.getByRole("alert").getByText(REFUSED)).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in/);
}

test("a wrong password and an unknown email get the same message", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("Enter your email address")).toBeVisible();
  await refused(page, sample.email(), "not the password");
  await refused(page, "nobody@example.com", "not the password");
});

test("after five failures, even the right password is refused, with the same message", async ({ page }) => {
  const person = await createPerson(await sampleCompany(), "support", "Lotte Locked");
  await page.goto("/sign-in");
  for (let tries = 0; tries < 5; tries++) await refused(page, person.email, "not the password");
  await refused(page, person.email, person.password);
});

test("sign-in returns to the requested page, and never to another site", async ({ page }) => {
  const person = { email: sample.email(), password: sample.password() };
  await page.goto("/settings/subscription");
  await expect(page).toHaveURL("/sign-in?next=%2Fsettings%2Fsubscription");
  await fillSignIn(page, person);
  await expect(page).toHaveURL("/settings/subscription");
  await page.goto("/sign-in");
  await expect(page).toHaveURL("/overview");

  await page.context().clearCookies();
  await page.goto("/sign-in?next=/%09/example.com/");
  await fillSignIn(page, person);
  await expect(page).toHaveURL("/overview");
});

test("a removed member loses access on the next click", async ({ visit }) => {
  const company = await sampleCompany();
  const leaving = await createPerson(company, "support", "Rob Removed");
  const memberPage = await visit(leaving);
  const admins = await visit({ email: sample.email(), name: "", password: sample.password() });
  await admins.goto("/settings/members");
  await admins.getByRole("button", { name: "Actions for Rob Removed" }).click();
  await admins.getByRole("menuitem", { name: "Remove" }).click();
  await admins.getByRole("button", { name: "Remove member" }).click();
  await expect(admins.getByText(leaving.email)).toBeHidden();

  await memberPage.getByRole("link", { name: "Knowledge", exact: true }).click();
  await expect(memberPage.getByRole("heading", { name: "You are not a member of any company" })).toBeVisible();
  await memberPage.getByRole("button", { name: "Sign out" }).click();
  await expect(memberPage).toHaveURL("/sign-in");
});

test("a new password ends the other sessions, keeps this one, and empties the form", async ({ visit }) => {
  const person = await createPerson(await sampleCompany(), "support", "Nell New");
  const [here, elsewhere] = [await visit(person), await visit(person)];
  await here.goto("/settings/profile");
  await here.getByLabel("Current password").fill(person.password);
  await here.getByLabel("New password").fill("a far better password");
  await here.getByRole("button", { name: "Change password" }).click();
  await expect(here.getByText("Password changed", { exact: true })).toBeVisible();
  for (const label of ["Current password", "New password"]) await expect(here.getByLabel(label)).toHaveValue("");
  await here.reload();
  await expect(here.getByRole("heading", { name: "Profile", level: 1 })).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere).toHaveURL(/\/sign-in/);
});

test("a page that was loaded before there was a password asks for it once it is needed", async ({ visit }) => {
  const person = await createPerson(await sampleCompany(), "support", "Petra Page");
  const page = await visit(person);
  await page.route(/\/settings\/profile\?.*_rsc=/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"hasPassword":true', '"hasPassword":false');
    await route.fulfill({ response, body });
  });
  await page.getByRole("button", { name: /Your account:/ }).click();
  await page.getByRole("menuitem", { name: "Profile" }).click();
  await page.getByLabel("New password").fill("a far better password");
  await expect(page.getByLabel("Current password")).toBeHidden();
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText(/^Is not your password\./)).toBeVisible();
  await page.getByLabel("Current password").fill(person.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Password changed", { exact: true })).toBeVisible();
});

test("after signing out everywhere, every browser asks for the password", async ({ visit }) => {
  const person = await createPerson(await sampleCompany(), "support", "Olga Out");
  const [laptop, phone] = [await visit(person), await visit(person)];
  await laptop.getByRole("button", { name: /Your account:/ }).click();
  await laptop.getByRole("menuitem", { name: "Sign out everywhere" }).click();
  await laptop.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(laptop).toHaveURL("/sign-in");
  await phone.getByRole("link", { name: "Playground", exact: true }).click();
  await expect(phone).toHaveURL(/\/sign-in/);
});

/** Returns the status of a page for a copy of the browser's cookies, before and after `signOut`. */
async function replay(page: Page, signOut: () => Promise<void>): Promise<{ before: number; after: number }> {
  const copied = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const open = async () =>
    (await fetch(`${variable("E2E_URL")}/overview`, { headers: { Cookie: copied }, redirect: "manual" })).status;
  const before = await open();
  await signOut();
  return { before, after: await open() };
}

test("signing out ends the session, so a copy of the cookie no longer works", async ({ visit }) => {
  const person = await createPerson(await sampleCompany(), "support", "Cora Copy");
  const page = await visit(person);
  const other = await visit(person);
  const byMenu = await replay(page, async () => {
    await page.getByRole("button", { name: /Your account:/ }).click();
    await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
    await expect(page).toHaveURL("/sign-in");
  });
  expect(byMenu).toEqual({ before: 200, after: 307 });

  // the sign-out route of the library, which any signed-in person can call
  const byLibrary = await replay(other, async () => {
    const { csrfToken } = await (await other.request.get("/api/auth/csrf")).json();
    const response = await other.request.post("/api/auth/signout", { form: { csrfToken, json: "true" } });
    expect(response.ok()).toBe(true);
  });
  expect(byLibrary).toEqual({ before: 200, after: 307 });
});

/** Posts from another local address, so that the rate limit of the other tests does not apply. */
function post(path: string, body: URLSearchParams, cookie: string): Promise<{ status: number; text: string }> {
  const url = new URL(path, variable("E2E_URL"));
  const headers = { cookie, "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": randomUUID() };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: url.port, path, method: "POST", localAddress: "127.0.0.2", headers },
      async (response) => resolve({ status: response.statusCode ?? 0, text: await text(response) }),
    );
    sent.on("error", reject).end(body.toString());
  });
}

test("sign-ins are limited by address, whatever X-Forwarded-For says", async () => {
  const asked = await fetch(`${variable("E2E_URL")}/api/auth/csrf`);
  const { csrfToken } = Object(await asked.json());
  const cookie = asked.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
  const statuses: number[] = [];
  let last = "";
  const attempt = async (tries: number) => {
    const body = new URLSearchParams({ csrfToken, email: `${tries}@example.com`, password: "not it", json: "true" });
    const answer = await post("/api/auth/callback/credentials", body, cookie.join("; "));
    statuses.push(answer.status);
    last = answer.text;
  };
  // several at a time, because all must come within the minute
  for (let first = 0; first < 60; first += 6) {
    await Promise.all(Array.from({ length: 6 }, (_, i) => attempt(first + i)));
  }
  for (let tries = 60; tries < 64; tries++) await attempt(tries);
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.slice(60)).toEqual([429, 429, 429, 429]);
  expect(Object(JSON.parse(last)).message).toMatch(/^Too many attempts from your network\. Retry in \d+ seconds\.$/);
});

test("scripts and other sites cannot use the session cookie", async ({ visit }) => {
  const person = await createPerson(await sampleCompany(), "support", "Kim Cookie");
  const page = await visit(person);
  const cookies = await page.context().cookies();
  const session = cookies.find(({ name }) => name === "next-auth.session-token");
  expect(session).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/", secure: false });
});
