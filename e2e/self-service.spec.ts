import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ragstoneOn } from "./fixtures.ts";
import { inspect } from "./inspect.ts";
import { expect, NOBODY, test } from "./people.ts";
import { type NewServer, startNewServer } from "./server.ts";

let server: NewServer;
let folder: string;

test.use({ storageState: NOBODY });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  folder = mkdtempSync(join(tmpdir(), "ragstone-self-service-"));
  server = await startNewServer(join(folder, "data"), { SELF_SERVICE: "off" });
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const operator = (...args: string[]) => ragstoneOn(join(folder, "data"), ...args);

test("without self-service, an admin sees whom to ask about the subscription and cannot change it", async ({
  page,
}) => {
  await page.goto(`${server.url}/setup`);
  await page.getByLabel("Set-up code").fill(server.code);
  await page.getByLabel("Company").fill("Borealis Quarries");
  await page.getByLabel("Your name").fill("Ada Basalt");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("granite marl slate");
  await page.getByRole("button", { name: "Create company and sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/overview`);
  await page.getByRole("button", { name: /Company: Borealis Quarries/ }).click();
  await expect(page.getByRole("menuitemradio", { name: "Borealis Quarries" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Create a company" })).toBeHidden();
  await page.keyboard.press("Escape");

  const [company] = Object(await operator("company", "list"));
  const main = page.getByRole("main");
  for (const [status, step] of [
    ["ACTIVE", "The operator of this server manages the subscription."],
    ["UNPAID", "Ask the operator of this server to activate the subscription."],
    ["EXPIRED", "Ask the operator of this server to resume the subscription."],
    ["CANCELLED", "Ask the operator of this server to resume the subscription."],
  ] as const) {
    await operator("subscription", "set", "--company", company.id, "--status", status);
    await page.goto(`${server.url}/settings/subscription`);
    await expect(main.getByText(step)).toBeVisible();
    await expect(main.getByRole("button", { name: /resume|activate|change plan|cancel/i })).toHaveCount(0);
    if (status !== "ACTIVE") await expect(page.getByRole("status").getByText(step)).toBeVisible();
  }
  await inspect(page, `${server.url}/settings/subscription`);
});
