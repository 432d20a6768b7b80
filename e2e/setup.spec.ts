import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "./inspect.ts";
import { expect, NOBODY, test } from "./people.ts";
import { logOf, type NewServer, startNewServer } from "./server.ts";

const PASSWORD = "granite marl slate";
let server: NewServer;
let folder: string;

test.use({ storageState: NOBODY });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "ragstone-setup-"));
  server = await startNewServer(join(folder, "data"));
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the first admin signs up with the code from the terminal, which works once", async ({ page, visit }) => {
  for (const path of ["/", "/sign-in", "/overview"]) {
    await page.goto(server.url + path);
    await expect(page).toHaveURL(`${server.url}/setup`);
  }
  await inspect(page, `${server.url}/setup`);

  await page.goto(`${server.url}/setup`);
  await page.getByLabel("Set-up code").fill("wrong-wrong-wrong-wrong");
  await page.getByLabel("Company").fill("Borealis Quarries");
  await page.getByLabel("Your name").fill("Ada Basalt");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create company and sign in" }).click();
  await expect(page.getByText(/at least 10 characters/i)).toHaveCount(2);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create company and sign in" }).click();
  await expect(page.getByText("Is not the set-up code. The terminal shows it when the server starts.")).toBeVisible();
  await page.getByLabel("Set-up code").fill(server.code);
  await page.getByRole("button", { name: "Create company and sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/overview`);
  await expect(page.getByRole("button", { name: /Company: Borealis Quarries/ })).toBeVisible();

  const other = await visit();
  await other.goto(`${server.url}/setup?code=${server.code}`);
  await expect(other).toHaveURL(`${server.url}/sign-in`);

  // every empty page says what to do
  await page.goto(`${server.url}/knowledge`);
  await expect(page.getByRole("heading", { name: "Add what your company knows" })).toBeVisible();
  await inspect(page, `${server.url}/knowledge`);
  await page.goto(`${server.url}/settings/api-keys`);
  await expect(page.getByRole("heading", { name: "No keys yet" })).toBeVisible();
  await inspect(page, `${server.url}/settings/api-keys`);

  // a company cannot lose its last admin, nor a person their last company
  await page.goto(`${server.url}/settings/members`);
  await page.getByRole("button", { name: "Actions for Ada Basalt" }).click();
  await page.getByRole("menuitem", { name: "Make support" }).click();
  await page.getByRole("button", { name: "Make support" }).click();
  await expect(page.getByText("A company needs an admin. Make someone else an admin first.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Actions for Ada Basalt" }).click();
  await page.getByRole("menuitem", { name: "Leave the company" }).click();
  await page.getByRole("button", { name: "Leave", exact: true }).click();
  await expect(page.getByText("A company needs an admin. Make someone else an admin first.")).toBeVisible();
  await page.goto(`${server.url}/settings/company`);
  await expect(page.getByText("You cannot delete your only company")).toBeVisible();
  // no page and no redirect of an action logged a warning or an error
  expect(readFileSync(logOf(join(folder, "data")), "utf8")).not.toMatch(/"level":[45]0/);
});
