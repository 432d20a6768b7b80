import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../bench/soak/api-server.ts";
import type { WebServer } from "../scripts/serve/http-server.ts";
import { vectorStoreId } from "./adapters/openai/ids.ts";
import { createKey } from "./api-keys/service.ts";
import { SYSTEM_ACTOR } from "./audit/record.ts";
import { AppError } from "./errors.ts";
import { sha256 } from "./sha256.ts";
import { apiCaller, type Caller } from "./testing/api-caller.ts";
import { testDatabase } from "./testing/database.ts";
import { type FilledCompany, filledCompany } from "./testing/filled-company.ts";
import { addAndIngest, document, newCompany, work } from "./testing/knowledge.ts";
import { onReadOnlyDatabase } from "./testing/read-only-database.ts";
import { SERVICE_CALLS } from "./testing/service-calls.ts";
import { flushQueryLog } from "./usage/record.ts";

testDatabase();

/** They ask questions, which the requests below do with every header. */
const SEARCHES = /^(?:retrieve|streamRetrieval|evaluate|askForAnswers|runInPlayground|whyNot|askAgain|trySettings)$/;
/** What differs between two equal requests. */
const CHANGING_HEADERS = /^(?:x-request-id|date|ratelimit-reset|ratelimit-remaining|server-timing)$/;
const CHANGING_FIELDS = /"(?:requestId|retrievalTimeMs|timestamp)":(?:\d+|"[^"]*")/g;
const WORD = "augite";

let own: FilledCompany;
let web: WebServer;
let call: Caller;
beforeAll(async () => {
  own = await filledCompany(WORD);
  await work(own.scope);
  web = await startApiServer();
  call = await apiCaller(web.address(), own.scope, { scopes: ["retrieve", "manage"] });
});
afterAll(() => web.close(0));

/** What members and Ragstone itself read of the company. Nothing changes, so two readings are equal. */
async function readByServices(): Promise<[string, unknown][]> {
  await flushQueryLog();
  return onReadOnlyDatabase(async () => {
    const read: [string, unknown][] = [];
    for (const [name, [, run]] of Object.entries(SERVICE_CALLS)) {
      if (SEARCHES.test(name)) continue;
      const outcome = await run(own.scope, own.admin, own).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) read.push([name, JSON.stringify(outcome)]);
      else if (outcome instanceof AppError) read.push([name, outcome.message]);
    }
    return read;
  });
}

type Sent = [method: string, path: string, body?: unknown];

/** Requests that read, with ids of the company. */
function readRequests(): Sent[] {
  const { sourceId, fileSourceId, qaSourceId, externalId, question, alias, scope } = own;
  const store = vectorStoreId(scope.companyId);
  const ask = (body: object): Sent => ["POST", "/rag/retrieve", body];
  return [
    ["GET", "/status"],
    ["GET", "/sources?limit=2"],
    ...[sourceId, fileSourceId, qaSourceId].map((id): Sent => ["GET", `/sources/${id}`]),
    ["GET", `/sources/${sourceId}/text`],
    ["GET", `/sources/${fileSourceId}/original`],
    ["GET", `/sources/${own.keyId}`],
    ["POST", "/sources/diff", { sources: [{ sourceId: externalId, sha256: sha256("other") }] }],
    // names how many sources it would delete
    ...["paper", "mineral"].map((prefix): Sent => ["POST", "/sources/delete", { prefix, confirm: 1_000 }]),
    ask({ queryText: `what is ${WORD}?` }),
    ask({ queryText: question, returnMode: "ai_generated_answer" }),
    ask({ queryText: question, filters: { audience: [alias] }, useRerank: true }),
    ask({ queryText: "mineral", filters: { path: ["Nowhere"] } }),
    ["GET", "/openai/vector_stores"],
    ["GET", `/openai/vector_stores/${store}/files`],
    ["GET", "/openai/files"],
    ["POST", `/openai/vector_stores/${store}/search`, { query: question }],
    ["POST", "/dify/retrieval", { knowledge_id: "all", query: question, retrieval_setting: { top_k: 3 } }],
  ];
}

async function readByApi(): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const [method, path, body] of readRequests()) {
    const answer = await call(method, path, { body });
    const headers = [...answer.headers].filter(([name]) => !CHANGING_HEADERS.test(name));
    const text = JSON.stringify(answer.body).replaceAll(CHANGING_FIELDS, "");
    answers.push([method, path, answer.status, headers, text]);
  }
  return answers;
}

/** Another company adds the same sources and many more, and asks the same questions. */
async function workElsewhere(): Promise<void> {
  const scope = await newCompany(`Company ${WORD}`);
  await createKey(scope, SYSTEM_ACTOR, { name: WORD });
  const labels = { title: WORD, audience: [WORD, own.alias, "more"], path: [own.alias, WORD], contentCategory: WORD };
  const more = Array.from({ length: 8 }, (_, index) =>
    document(`mineral-${index}`, `Mineral ${index} is found where ${WORD} is found, in ${own.alias} veins.`, labels),
  );
  await addAndIngest(
    scope,
    document(own.externalId, `What ${WORD} means, or ${own.alias}.`, { ...labels, metadata: { word: WORD } }),
    { sourceType: "qa", question: own.question, answer: `In ${WORD} veins.` },
    ...more,
  );
  const other = await apiCaller(web.address(), scope, { scopes: ["retrieve", "manage"] });
  for (const [method, path, body] of readRequests()) await other(method, path, { body });
  await flushQueryLog();
}

test("nothing that a company reads depends on what another company has or asks", async () => {
  // the first requests fill caches
  await readByApi();
  const byApi = await readByApi();
  const byServices = await readByServices();
  await workElsewhere();
  expect(await readByServices()).toEqual(byServices);
  expect(await readByApi()).toEqual(byApi);
  await addAndIngest(own.scope, document("mineral-0", `A mineral beside ${WORD}.`));
  expect(await readByApi()).not.toEqual(byApi);
});
