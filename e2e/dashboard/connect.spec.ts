import { setTimeout } from "node:timers/promises";
import { expect, test } from "../people.ts";

test("an admin connects a program, and sees its first request arrive", async ({ page, request }) => {
  // the browser's clock may be ahead of the server's
  await page.clock.setFixedTime(new Date(Date.now() + 3_600_000));
  await page.goto("/settings/connect");
  await page.getByRole("radio", { name: "curl" }).click();
  await expect(page.getByText("Permissions: Ask, Add knowledge.")).toBeVisible();
  await page.getByRole("button", { name: "Create a key for curl" }).click();
  await expect(page.getByText("Created the key “curl”")).toBeVisible();
  const settings = await page.getByText(/^export RAGSTONE_URL=/).innerText();
  const token = /ragstone_live_\w+/.exec(settings)?.[0];
  await expect(page.getByText("Waiting for a request with “curl”")).toBeVisible();

  // the key can be used for another program, and is not lost
  await page.getByRole("radio", { name: "OpenAI SDK" }).click();
  await expect(page.getByLabel("Or use an existing key")).toContainText(`curl (…${token?.slice(-4)})`);
  await page.getByRole("radio", { name: "curl" }).click();
  await expect(page.getByText(/^export RAGSTONE_URL=/)).toContainText(token ?? "no token");
  const asked = page.waitForEvent("dialog");
  const leaving = page.goto("/overview").catch(() => undefined);
  await (await asked).dismiss();
  await leaving;

  const response = await request.post("/v1/api/rag/retrieve", {
    headers: { Authorization: `Bearer ${token}` },
    data: { queryText: "How do I cancel my contract?" },
  });
  expect(response.status()).toBe(200);
  await expect(page.getByText("Connected: a request has arrived")).toBeVisible({ timeout: 60_000 });
});

test("a new key outlasts a quick change of the program", async ({ page }) => {
  await page.goto("/settings/connect?to=curl");
  // a slow response of the page would arrive after the next change
  await page.route("**/settings/connect*", async (route) => {
    await setTimeout(90);
    await route.continue().catch(() => undefined);
  });
  await page.getByRole("button", { name: "Create a key for curl" }).click();
  await expect(page.getByText("Created the key “curl”")).toBeVisible();
  for (let change = 0; change < 3; change += 1) {
    await page.getByRole("radio", { name: "OpenAI SDK" }).click();
    await expect(page.getByText(/^export RAGSTONE_URL=/)).not.toContainText("ragstone_live_");
    await page.getByRole("radio", { name: "curl" }).click();
    await expect(page.getByText(/^export RAGSTONE_URL=/)).toContainText("ragstone_live_");
  }
});
