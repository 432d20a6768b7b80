import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { api, ragstone } from "../fixtures.ts";
import { checkLook } from "../inspect.ts";
import { createPerson, expect, test } from "../people.ts";

test("an admin tries settings on the test questions, saves them, and restores the defaults", async ({ visit }) => {
  const name = `Tuned ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const { token } = Object(await ragstone("key", "create", "--company", company, "--name", "Bot"));
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));

  await page.goto("/settings/retrieval");
  await expect(page.getByText("Your company has no test questions")).toBeVisible();
  await page.goto("/test-questions");
  await page.getByRole("button", { name: "Add test question" }).click();
  const dialog = page.getByRole("dialog", { name: "Add test question" });
  await dialog.getByLabel("Question", { exact: true }).fill("Who walked on the moon?");
  await dialog.getByLabel("Must be refused").click();
  await dialog.getByRole("button", { name: "Add test question" }).click();
  await expect(dialog).toBeHidden();

  await page.goto("/settings/retrieval");
  await page.getByLabel("Refusal text").fill("Call 555.");
  const other = await page.context().newPage();
  await other.goto("/settings/retrieval");
  await other.getByLabel("Style").selectOption("short");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Settings saved")).toBeVisible();
  await page.getByRole("button", { name: "Try on the test questions" }).click();
  await expect(page.getByRole("heading", { name: "No test question changes" })).toBeVisible({ timeout: 30_000 });
  const trials = page.getByRole("table", { name: "Trials of settings on the test questions" });
  await expect(trials.getByText("Refusal text: standard → “Call 555.”")).toBeVisible();
  // what another admin has saved is shown, and does not discard what is typed here
  await expect(page.getByLabel("Refusal text")).toHaveValue("Call 555.");
  await expect(page.getByLabel("Style")).toHaveValue("short");
  await page.reload();
  await expect(trials.getByText("Ada Marl").first()).toBeAttached();
  await page.getByLabel("Refusal text").fill("Call 555.");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save" })).toBeDisabled();
  const body = { queryText: "Who walked on the moon?", returnMode: "ai_generated_answer" } as const;
  expect((await api.retrieve(token, body)).body.aiGeneratedAnswer).toBe("Call 555.");
  await page.getByRole("link", { name: "History" }).click();
  await expect(page.getByText("refusal text: standard → “Call 555.”")).toBeVisible();

  await page.goto("/settings/retrieval");
  await expect(page.getByLabel("Style")).toHaveValue("short");
  await page.getByRole("button", { name: "Restore the defaults" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore the defaults" }).click();
  await expect(page.getByText("The saved settings are Ragstone's defaults.")).toBeVisible();
  await expect(page.getByLabel("Refusal text")).toHaveValue("");
  await expect(page.getByLabel("Style")).not.toHaveValue("short");
});

test("a save keeps what another admin has changed since the page was loaded", async ({ visit }) => {
  const name = `Shared ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));
  await page.goto("/settings/retrieval");
  const other = await page.context().newPage();
  await other.goto("/settings/retrieval");
  await other.getByLabel("Refusal text").fill("Call 555.");
  await other.getByRole("button", { name: "Save" }).click();
  await expect(other.getByText("Settings saved")).toBeVisible();
  await page.getByLabel("Style").selectOption("short");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await expect(page.getByLabel("Refusal text")).toHaveValue("Call 555.");
  await page.reload();
  await expect(page.getByLabel("Refusal text")).toHaveValue("Call 555.");
  await expect(page.getByLabel("Style")).toHaveValue("short");
});

const THINGS = ["router", "invoice", "contract", "parcel", "garden", "kettle", "violin", "harbour", "desert", "candle"];

test("scores are calibrated once 20 test questions are judged, and say so until they are switched off", async ({
  visit,
}) => {
  const name = `Calibrated ${randomUUID().slice(0, 8)}`;
  const { id: company } = Object(await ragstone("company", "create", "--name", name));
  const { token } = Object(await ragstone("key", "create", "--company", company, "--name", "Bot"));
  const file = test.info().outputPath("things.jsonl");
  const documents = THINGS.map((thing) => ({
    ...{ sourceType: "document", sourceId: `${thing}.md`, title: `${thing}.md` },
    content: `The ${thing} is kept in the blue room upstairs.`,
  }));
  writeFileSync(file, documents.map((document) => JSON.stringify(document)).join("\n"));
  await ragstone("ingest", "--company", company, file);
  const page = await visit(await createPerson(company, "admin", "Ada Marl"));

  await page.goto("/settings/retrieval");
  const calibrates = page.getByRole("switch", { name: "Calibrate scores" });
  await expect(calibrates).toBeDisabled();
  await expect(page.getByText("This needs 20 test questions")).toBeVisible();

  await page.goto("/test-questions");
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import test questions" });
  const rows = THINGS.flatMap((thing) => [
    `Where is the ${thing}?,${thing}.md`,
    `Which room has the ${thing}?,${thing}.md`,
  ]);
  const text = ["question,expectedSource", ...rows].join("\n");
  await dialog.getByLabel("File").setInputFiles({ name: "q.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await expect(dialog.getByText("20 test questions added.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText("20 of 20", { exact: true })).toBeVisible({ timeout: 60_000 });

  // measured, and still off
  await page.goto("/settings/retrieval");
  await expect(page.getByText("Measured on 20 test questions with 200 results")).toBeVisible();
  const errors = await page.locator("div:has(> dt:text('Calibration error')) > dd").allTextContents();
  expect(Number(errors[1])).toBeLessThan(Number(errors[0]));
  await expect(calibrates).not.toBeChecked();
  const question = { queryText: "Where is the violin?" };
  const raw = await ranked(token, question);
  await calibrates.click();
  await expect(page.getByText("Scores are calibrated", { exact: true })).toBeVisible();
  await expect(calibrates).toBeChecked();
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await checkLook(page);
  }

  // in the same order, with even chances for the right source alone
  const { body, requestId } = await api.retrieve(token, { ...question, scoreThreshold: 0.5 });
  expect(Object(body.results)).toMatchObject([{ payload: { sourceId: "violin.md" } }]);
  const calibrated = await ranked(token, question);
  expect(calibrated.map(({ id }) => id)).toEqual(raw.map(({ id }) => id));
  expect(calibrated).not.toEqual(raw);
  await page.goto(`/usage/requests/${requestId}`);
  await expect(page.getByText("Final scores are calibrated")).toBeVisible();

  await page.goto("/settings/retrieval");
  await calibrates.click();
  await expect(page.getByText("Scores are no longer calibrated")).toBeVisible();
  expect(await ranked(token, question)).toEqual(raw);
});

async function ranked(token: string, question: Record<string, unknown>): Promise<{ id: string; score: number }[]> {
  const { body } = await api.retrieve(token, question);
  return Object(body.results).map(({ id, score }: { id: string; score: number }) => ({ id, score }));
}
