import { readdir } from "node:fs/promises";
import { and, eq, or } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { chunks, sources, sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { objectStore } from "../storage/index.ts";
import { testDatabase } from "../testing/database.ts";
import { addFile } from "../testing/emails.ts";
import { exportLines, importLines } from "../testing/export-lines.ts";
import { document, newCompany, workUntilDone } from "../testing/knowledge.ts";
import { labelsOf } from "../testing/labels.ts";
import { importSources } from "./import.ts";
import { addFiles, addSources } from "./intake/add.ts";
import { relabelSource } from "./intake/relabel.ts";
import { sourceInput } from "./intake/source-input.ts";
import { makeMsg } from "./parse/msg-fixtures.ts";
import { EXPORT_HEADER } from "./read-export.ts";
import { restoreSource } from "./restore.ts";
import { deleteSource, sourceByExternalId } from "./service.ts";

const { db } = testDatabase();

const EMAIL = "mail.msg";
const TERMS = "mail.msg/terms.txt";
const PLAN = "mail.msg/plan.txt";

async function addEmail(scope: TenantScope): Promise<void> {
  const attachments = [
    { name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") },
    { name: "plan.txt", bytes: Buffer.from("The walrus plan starts in May.") },
  ];
  const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
  await addFile(scope, { sourceId: EMAIL, bytes, audience: ["copilot", "team"] });
}

/** Deletes the original of a source, as a lost disk does. */
async function loseOriginal({ companyId }: TenantScope, sourceId: string): Promise<void> {
  const [version] = await db
    .select({ storageKey: sourceVersions.storageKey })
    .from(sourceVersions)
    .innerJoin(sources, eq(sources.currentVersionId, sourceVersions.id))
    .where(and(eq(sources.companyId, companyId), eq(sources.sourceId, sourceId)));
  await objectStore().delete(version?.storageKey ?? "");
}

test("an import keeps the labels that an attachment has by itself", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  await addEmail(scope);
  const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, TERMS);
  await relabelSource(scope, SYSTEM_ACTOR, id, { audience: ["copilot"], path: ["Contracts"] });

  const lines = await exportLines(scope);
  expect(lines.slice(1).map((line) => JSON.parse(line).sourceId)).toEqual([EMAIL, TERMS]);
  const { accepted } = await importLines(other, lines);
  const own = { audience: ["copilot"], path: ["Contracts"] };
  // before the email is read
  expect((await labelsOf(other, TERMS))?.labels).toMatchObject(own);
  await workUntilDone(other, accepted);
  expect((await labelsOf(other, TERMS))?.labels).toMatchObject(own);
  expect((await labelsOf(other, PLAN))?.labels).toMatchObject({ audience: ["copilot", "team"], path: [] });

  const again = await importLines(other, lines);
  expect(again.accepted.map(({ sourceId, unchanged }) => ({ sourceId, unchanged }))).toEqual([
    { sourceId: EMAIL, unchanged: true },
    { sourceId: TERMS, unchanged: true },
  ]);
  const email = await sourceByExternalId(other, SYSTEM_ACTOR, EMAIL);
  await deleteSource(other, SYSTEM_ACTOR, email.id);
  await expect(sourceByExternalId(other, SYSTEM_ACTOR, TERMS)).rejects.toMatchObject({ error: "NotFound" });
});

test("the attachments of an email whose original is missing are exported as sources of their own", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  await addEmail(scope);
  await loseOriginal(scope, EMAIL);

  const lines = await exportLines(scope);
  const exported = lines.slice(1).map((line) => JSON.parse(line));
  expect(exported.map(({ sourceId, attachedTo }) => ({ sourceId, attachedTo }))).toEqual([
    { sourceId: EMAIL },
    { sourceId: PLAN },
    { sourceId: TERMS },
  ]);
  expect(exported.map((source) => "base64" in source)).toEqual([false, true, true]);
  await workUntilDone(other, (await importLines(other, lines)).accepted);
  expect(await exportLines(other)).toHaveLength(4);
});

test("an export refuses a text that no import accepts, of a source whose original is missing", async () => {
  const scope = await newCompany();
  await addFile(scope, { sourceId: "long.txt", bytes: Buffer.from("Short.") });
  await loseOriginal(scope, "long.txt");
  const changeText = (content: string) =>
    db.update(chunks).set({ content }).where(eq(chunks.companyId, scope.companyId));
  const refused = (reason: string) => ({
    error: "NotFound",
    message: expect.stringContaining(`The original file of long.txt is missing, and its text ${reason}. Add the file`),
  });
  await changeText("x".repeat(10 * 1024 * 1024 + 1));
  await expect(exportLines(scope)).rejects.toMatchObject(refused("must have at most 10,485,760 characters"));
  await changeText(" ");
  await expect(exportLines(scope)).rejects.toMatchObject(refused("must not be empty"));
});

test("an import has an attachment whose original is missing before its email is read", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  await addEmail(scope);
  const { id } = await sourceByExternalId(scope, SYSTEM_ACTOR, TERMS);
  await relabelSource(scope, SYSTEM_ACTOR, id, { audience: ["board"] });
  await loseOriginal(scope, TERMS);

  const { accepted } = await importLines(other, await exportLines(scope));
  expect(accepted.map(({ sourceId }) => sourceId)).toEqual([TERMS, EMAIL]);
  await workUntilDone(other, accepted);
  expect(await labelsOf(other, TERMS)).toMatchObject({ labels: { audience: ["board"] }, number: 1 });
  expect((await labelsOf(other, PLAN))?.labels.audience).toEqual(["copilot", "team"]);
});

test("an import that stops after its check says how many sources it has imported", async () => {
  const scope = await newCompany();
  const [known] = await addSources(scope, SYSTEM_ACTOR, [
    sourceInput.parse(document("text", "Text.", { audience: ["public"] })),
  ]);
  const text = JSON.stringify(document("text", "Text.", { audience: ["public"] }));
  let readings = 0;
  async function* open() {
    yield Buffer.from(`${[header, fileLine("a", Buffer.from("A.")), fileLine("b", Buffer.from("B."))].join("\n")}\n`);
    readings++;
    if (readings === 2) await relabelSource(scope, SYSTEM_ACTOR, known?.id ?? "", { audience: ["board"] });
    yield Buffer.from(text);
  }
  await expect(importSources(scope, SYSTEM_ACTOR, open)).rejects.toMatchObject({
    error: "Conflict",
    message: "The import stopped after 1 source: 1 source would become visible to public. Repeat the import.",
    fields: {},
  });
});

test("an attachment that remains when its email is deleted is exported, and imported once", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  const attachments = [{ name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") }];
  const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
  await workUntilDone(scope, await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: EMAIL, bytes }]));
  const email = await sourceByExternalId(scope, SYSTEM_ACTOR, EMAIL);
  const terms = await sourceByExternalId(scope, SYSTEM_ACTOR, TERMS);
  const whole = await exportLines(scope);
  await deleteSource(scope, SYSTEM_ACTOR, email.id);
  await restoreSource(scope, SYSTEM_ACTOR, terms.id);

  const lines = await exportLines(scope);
  expect(lines.slice(1).map((line) => JSON.parse(line))).toMatchObject([{ sourceId: TERMS }]);
  for (const into of [scope, other, other]) {
    const { accepted } = await importLines(into, lines);
    expect(accepted.map(({ sourceId }) => sourceId)).toEqual([TERMS]);
    await workUntilDone(into, accepted);
    expect(await exportLines(into)).toEqual(lines);
  }
  // a source of its own by now, so the email that has its name in common leaves it alone
  await workUntilDone(other, (await importLines(other, whole)).accepted);
  expect(await exportLines(other)).toEqual([...whole, ...lines.slice(1)]);
});

const header = JSON.stringify(EXPORT_HEADER);

function fileLine(sourceId: string, bytes: Buffer, attachedTo?: string): string {
  return JSON.stringify({ sourceType: "document", sourceId, attachedTo, base64: bytes.toString("base64") });
}

test("an import holds one of an email's attachments at a time, and adds all with the email", async () => {
  const scope = await newCompany();
  const texts = Array.from({ length: 5 }, (_, index) => `Plan ${index}.`);
  const attachments = texts.map((text, index) => fileLine(`m.msg/${index}.txt`, Buffer.from(text), "m.msg"));
  const bytes = makeMsg({ subject: "Plans", body: "See the plans." });
  const put = vi.spyOn(objectStore(), "put");
  await importLines(scope, [header, fileLine("m.msg", bytes), ...attachments, fileLine("n.txt", Buffer.from("Next."))]);
  const inMemory = put.mock.calls.flatMap(([, content]) => (content instanceof Uint8Array ? [content.toString()] : []));
  put.mockRestore();
  expect(inMemory).toEqual([bytes.toString(), "Next."]);
  expect(await readdir(dataPaths(env().dataDir).incoming)).toEqual([]);

  const email = await sourceByExternalId(scope, SYSTEM_ACTOR, "m.msg");
  const rows = await db
    .select({ at: sourceVersions.createdAt, body: sourceVersions.body })
    .from(sourceVersions)
    .innerJoin(sources, eq(sources.latestVersionId, sourceVersions.id))
    .where(or(eq(sources.attachedTo, email.id), eq(sources.id, email.id)));
  expect(new Set(rows.map(({ at }) => at.getTime())).size).toBe(1);
  const originals = rows.map(({ body }) => (body.kind === "file" ? objectStore().get(body.storageKey) : null));
  const stored = (await Promise.all(originals)).map((original) => Buffer.from(original ?? []).toString());
  expect(stored.toSorted()).toEqual([bytes.toString(), ...texts].toSorted());
});

test("an import refuses a file that is attached to itself, and an email with too many attachments", async () => {
  const scope = await newCompany();
  const a = Buffer.from("A.");
  const refused = (line: string, reason: string, next: string) => ({
    error: "ValidationError",
    message: `Line ${line}: ${reason}. Nothing was imported. ${next}`,
  });
  await expect(importLines(scope, [header, fileLine("a", a), fileLine("a", a, "a")])).rejects.toMatchObject(
    refused(
      "3 (source a)",
      "the file is attached to itself",
      "Correct this line or export again, then repeat the import.",
    ),
  );
  const attached = Array.from({ length: 200 }, (_, index) => fileLine(`a/${index}`, a, "a"));
  await expect(importLines(scope, [header, fileLine("a", a), ...attached])).rejects.toMatchObject(
    refused(
      "202",
      "an email has more than 199 attachments",
      "Remove this line, repeat the import, and add the file by itself.",
    ),
  );
  expect(await db.$count(sources, eq(sources.companyId, scope.companyId))).toBe(0);
});
