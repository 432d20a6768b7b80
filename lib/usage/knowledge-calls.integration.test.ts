import { expect, test } from "vitest";
import { GET as LIST_FILES } from "../../app/v1/api/openai/files/route.ts";
import { GET as READ_STORE } from "../../app/v1/api/openai/vector_stores/[storeId]/route.ts";
import { GET as LIST_STORES } from "../../app/v1/api/openai/vector_stores/route.ts";
import { GET as LIST, PUT } from "../../app/v1/api/sources/route.ts";
import { GET as STATUS } from "../../app/v1/api/status/route.ts";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { connect, setConnection } from "../db/client.ts";
import { DAY_MS } from "../durations.ts";
import { setSubscription } from "../subscriptions/service.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { knowledgeCallsOf } from "./knowledge-calls.ts";
import { listRequests } from "./log.ts";
import { flushQueryLog, recordKnowledgeCall } from "./record.ts";
import { countServed } from "./service.ts";
import { usageOf } from "./usage-of.ts";

const database = testDatabase();
const ALL = { days: 7, sender: null };
const LOG = { ...ALL, outcome: null, search: "" };

function request(token: string, body?: object): Request {
  return new Request("http://localhost/v1/api/sources", {
    method: body ? "PUT" : "GET",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
}

test("served and refused calls count alike, by key and interface, and not as questions", async () => {
  const scope = await newCompany();
  const { id: apiKeyId, token } = await createKey(scope, CLI_ACTOR, { name: "CRM", scopes: ["ingest"] });
  const qa = { sourceType: "qa", sourceId: "a", question: "Why?", answer: "Because." };
  const responses = [
    await PUT(request(token, qa)),
    await PUT(request(token, { ...qa, answer: "" })),
    await LIST(request(token)),
    await LIST_FILES(request(token)),
  ];
  expect(responses.map(({ status }) => status)).toEqual([202, 422, 403, 200]);
  const calls = await knowledgeCallsOf(scope, SYSTEM_ACTOR, ALL);
  expect(calls).toEqual([
    { apiKeyId, name: "CRM", via: "api", calls: 3, errors: 2 },
    { apiKeyId, name: "CRM", via: "openai", calls: 1, errors: 0 },
  ]);
  expect(await knowledgeCallsOf(scope, SYSTEM_ACTOR, { days: 7, sender: apiKeyId })).toEqual(calls);
  expect(await knowledgeCallsOf(scope, SYSTEM_ACTOR, { days: 7, sender: "playground" })).toEqual([]);
  expect(await usageOf(scope, SYSTEM_ACTOR, ALL)).toMatchObject({ requests: 0, errors: 0, senders: [] });
  const period = { start: new Date(Date.now() - DAY_MS), end: new Date(Date.now() + DAY_MS) };
  expect(await countServed(scope, SYSTEM_ACTOR, period)).toBe(0);
  // refused calls are found by their id
  expect((await listRequests(scope, SYSTEM_ACTOR, LOG, 1)).rows).toMatchObject([
    { statusCode: 403, origin: "manage", keyName: "CRM" },
    { statusCode: 422, origin: "manage", keyName: "CRM" },
  ]);
});

test("a refused call that asks no question is in the log, but does not count as a question", async () => {
  const scope = await newCompany();
  const { token } = await createKey(scope, CLI_ACTOR, { name: "Monitor", scopes: ["retrieve"] });
  const store = { params: Promise.resolve({ storeId: "vs_other" }) };
  expect((await READ_STORE(request(token), store)).status).toBe(404);
  await setSubscription(scope, SYSTEM_ACTOR, { status: "UNPAID" });
  const refused = [await STATUS(request(token)), await LIST_STORES(request(token))];
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  expect(await usageOf(scope, SYSTEM_ACTOR, ALL)).toMatchObject({ requests: 0, errors: 0, senders: [] });
  expect(await knowledgeCallsOf(scope, SYSTEM_ACTOR, ALL)).toEqual([]);
  expect((await listRequests(scope, SYSTEM_ACTOR, LOG, 1)).rows).toMatchObject([
    { statusCode: 403, keyName: "Monitor" },
    { statusCode: 404, keyName: "Monitor" },
  ]);
});

test("calls made while the database is unavailable are counted when it is back", async () => {
  const scope = await newCompany();
  const { id: apiKeyId } = await createKey(scope, CLI_ACTOR, { name: "CRM" });
  for (const failed of [false, true]) recordKnowledgeCall(scope.companyId, { apiKeyId, via: "api", failed });
  const unreachable = connect({ dataDir: "/nowhere/at/all" });
  setConnection(unreachable);
  await flushQueryLog();
  setConnection(database);
  await unreachable.close();
  recordKnowledgeCall(scope.companyId, { apiKeyId, via: "api", failed: false });
  expect(await knowledgeCallsOf(scope, SYSTEM_ACTOR, ALL)).toMatchObject([{ calls: 3, errors: 1 }]);
});
