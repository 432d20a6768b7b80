import { expect, test } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { testDatabase } from "../testing/database.ts";
import { exportLines, importLines } from "../testing/export-lines.ts";
import { newCompany, workUntilDone } from "../testing/knowledge.ts";
import { labelsOf } from "../testing/labels.ts";
import { addFiles } from "./intake/add.ts";
import { relabelSource } from "./intake/relabel.ts";
import { makeMsg } from "./parse/msg-fixtures.ts";
import { deleteSource, sourceByExternalId } from "./service.ts";

testDatabase();

const EMAIL = "mail.msg";
const TERMS = "mail.msg/terms.txt";
const PLAN = "mail.msg/plan.txt";

test("an import keeps the labels that an attachment has by itself", async () => {
  const [scope, other] = [await newCompany(), await newCompany()];
  const attachments = [
    { name: "terms.txt", bytes: Buffer.from("The narwhal clause ends in June.") },
    { name: "plan.txt", bytes: Buffer.from("The walrus plan starts in May.") },
  ];
  const bytes = makeMsg({ subject: "Terms", body: "See the terms.", attachments });
  await workUntilDone(
    scope,
    await addFiles(scope, SYSTEM_ACTOR, [{ sourceId: EMAIL, bytes, audience: ["copilot", "team"] }]),
  );
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
