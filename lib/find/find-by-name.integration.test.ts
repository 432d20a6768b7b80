import { expect, test } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { deleteSource } from "../knowledge/service.ts";
import { saveTestQuestion } from "../test-questions/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { findByName } from "./find-by-name.ts";

testDatabase();

test("finds sources, keys, test questions and requests of the company by name or id", async () => {
  const scope = await newCompany();
  const sources = await addAndIngest(scope, document("visits.md", "Visits cost 14 euros.", { title: "Quarry visits" }));
  await addAndIngest(scope, document("other.md", "Quarry words in the text alone.", { title: "Other" }));
  const key = await createKey(scope, SYSTEM_ACTOR, { name: "Quarry bot" });
  const requestId = crypto.randomUUID();
  await ask(scope, { queryText: "How much is it?" }, { requestId });

  await saveTestQuestion(scope, SYSTEM_ACTOR, { id: null, question: "When is the quarry open?", mustRefuse: true });

  const found = await findByName(scope, SYSTEM_ACTOR, "quarry");
  expect(found.testQuestions).toEqual([{ question: "When is the quarry open?" }]);
  expect(found.sources.map(({ title }) => title)).toEqual(["Quarry visits"]);
  expect(found.keys).toEqual([{ id: key.id, name: "Quarry bot" }]);
  expect(found.requests).toEqual([]);
  expect((await findByName(scope, SYSTEM_ACTOR, "VISITS.md")).sources).toHaveLength(1);
  for (const id of [requestId, requestId.slice(0, 8)]) {
    expect((await findByName(scope, SYSTEM_ACTOR, id)).requests).toMatchObject([{ id: requestId }]);
  }
  expect(await findByName(scope, SYSTEM_ACTOR, "100%_")).toEqual({
    ...{ sources: [], keys: [], requests: [], testQuestions: [] },
  });
  await deleteSource(scope, SYSTEM_ACTOR, sources[0]?.id ?? "");
  expect((await findByName(scope, SYSTEM_ACTOR, "quarry")).sources).toEqual([]);
});
