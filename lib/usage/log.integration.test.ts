import { randomUUID } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import { updateCompanySettings } from "../companies/service.ts";
import { connection } from "../db/client.ts";
import type { TenantScope } from "../db/tenant.ts";
import { DAY_MS } from "../durations.ts";
import { readSettings } from "../retrieval/logged-settings.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { getRequest, listRequests } from "./log.ts";
import { logAsCsv } from "./log-csv.ts";
import type { LogFilter } from "./log-filter.ts";
import type { QueryRecord } from "./record.ts";

testDatabase();
const ALL: LogFilter = { days: 30, sender: null, outcome: null, search: "" };
let scope: TenantScope;
let keyId: string;

beforeEach(async () => {
  scope = await newCompany();
  keyId = (await createKey(scope, CLI_ACTOR, { name: "=Website" })).id;
});

const record = (values: Partial<QueryRecord>) => recordRequest(scope, keyId, values);

async function found(filter: Partial<LogFilter>): Promise<string[]> {
  return (await listRequests(scope, SYSTEM_ACTOR, { ...ALL, ...filter }, 1)).rows.map(({ id }) => id);
}

test("a request is found by its id, by the beginning of its id, and by words of its question", async () => {
  const old = record({ at: new Date(Date.now() - 60 * DAY_MS), queryText: "How do I pay 100%?" });
  const other = record({ queryText: "How do I cancel?" });
  expect(await found({ search: old })).toEqual([old]);
  expect(await found({ search: old.slice(0, 8).toUpperCase() })).toEqual([old]);
  expect(await found({ search: old.slice(0, 15) })).toEqual([old]);
  expect(await found({ search: "cancel HOW" })).toEqual([other]);
  expect(await found({ search: "100%", days: 90 })).toEqual([old]);
  expect(await found({ search: "%" })).toEqual([]);
  expect(await found({ search: "%", days: 90 })).toEqual([old]);
  expect(await found({ search: randomUUID() })).toEqual([]);
});

test("a number or a date is found in questions too, with the other filters", async () => {
  const order = record({ queryText: "Where is order 12345678?" });
  const failed = record({ queryText: "Is 2026-11-27 a holiday?", statusCode: 422, error: "ValidationError" });
  record({ queryText: "Is 12345678 paid?", at: new Date(Date.now() - 60 * DAY_MS) });
  record({ queryText: "Is it a holiday?" });
  expect(await found({ search: "12345678" })).toEqual([order]);
  expect(await found({ search: "12345678", outcome: "errors" })).toEqual([]);
  expect(await found({ search: "2026-11-27" })).toEqual([failed]);
  expect(await found({ search: "2026-11-27", sender: "playground" })).toEqual([]);
});

test("outcome and sender narrow the list", async () => {
  const failed = record({ statusCode: 422, error: "ValidationError", queryText: null, total: 0 });
  const empty = record({ total: 0 });
  const tried = record({ origin: "playground", apiKeyId: null, userId: randomUUID(), degraded: ["generation"] });
  expect(await found({ outcome: "errors" })).toEqual([failed]);
  expect(await found({ outcome: "unanswered" })).toEqual([empty]);
  expect(await found({ outcome: "degraded" })).toEqual([tried]);
  expect(await found({ sender: "playground" })).toEqual([tried]);
  expect((await found({ sender: keyId })).toSorted()).toEqual([failed, empty].toSorted());
});

test("a real retrieval logs its settings and its trace, and no context", async () => {
  await addAndIngest(
    scope,
    document("a.md", "Contracts are cancelled in writing.", { audience: ["copilot"] }),
    document("b.md", "Else."),
  );
  const requestId = randomUUID();
  const context = { clientName: "Zoltan Quartz", clientLogs: "seen by nobody" };
  const filters = { audience: "copilot" };
  const { trace } = await ask(
    scope,
    { queryText: "cancel contract", filters, useRerank: true, ...context },
    { requestId, apiKeyId: keyId },
  );
  const logged = await getRequest(scope, SYSTEM_ACTOR, requestId);
  expect(logged).toMatchObject({ keyName: "=Website", total: trace.results.length, queryText: "cancel contract" });
  expect(logged.trace).toEqual(trace);
  expect(trace).toMatchObject({ live: 2, read: trace.eligible });
  expect(readSettings(logged.request)).toMatchObject({ filters: { audience: "copilot" }, useRerank: true, limit: 10 });
  expect(JSON.stringify(logged)).not.toMatch(/Zoltan|seen by nobody/);
});

test("the file has every request once, in order, and no formula", async () => {
  const at = new Date("2026-05-01T10:00:00Z");
  const ids = Array.from({ length: 2_100 }, () => record({ at: new Date(), queryText: "-2+3" }));
  record({ at, queryText: "outside the days" });
  let file = "";
  for await (const part of logAsCsv(scope, SYSTEM_ACTOR, { ...ALL, days: 7 })) file += part;
  const [head, ...lines] = file.trimEnd().split("\r\n");
  expect(head).toMatch(/^time,request_id,origin,key,member,question,status/);
  expect(new Set(lines.map((line) => line.split(",")[1]))).toEqual(new Set(ids));
  expect(lines).toHaveLength(ids.length);
  expect(lines[0]).toContain(",api,'=Website,,'-2+3,200,");
});

test("keys that share a name are told apart by their last characters, in the list and in one request", async () => {
  const { id: twin, maskedToken } = await createKey(scope, CLI_ACTOR, { name: "=Website" });
  const [first, second] = [record({}), record({ apiKeyId: twin })];
  const names = new Map((await listRequests(scope, SYSTEM_ACTOR, ALL, 1)).rows.map(({ id, keyName }) => [id, keyName]));
  expect(names.get(second)).toBe(`=Website (…${maskedToken.slice(-4)})`);
  expect(names.get(first)).not.toBe(names.get(second));
  expect((await getRequest(scope, SYSTEM_ACTOR, second)).keyName).toBe(names.get(second));
});

test("the database gets no query text of a company that stores hashes", async () => {
  await updateCompanySettings(scope, CLI_ACTOR, { hashQueries: true });
  const sent = messagesSent();
  const id = record({ queryText: "a secret question" });
  expect(await getRequest(scope, SYSTEM_ACTOR, id)).toMatchObject({
    queryText: null,
    queryHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(sent.filter((message) => message.includes(id))).not.toEqual([]);
  expect(sent.filter((message) => message.includes("secret"))).toEqual([]);
});

/** Collects every later message to the database, with its parameters. */
function messagesSent(): string[] {
  const sent: string[] = [];
  const { options } = connection().sql;
  const { debug } = options;
  const note = (...given: Parameters<Extract<typeof debug, (...given: never[]) => void>>) => {
    sent.push(JSON.stringify(given));
    if (typeof debug === "function") debug(...given);
  };
  Object.assign(options, { debug: note });
  onTestFinished(() => void Object.assign(options, { debug }));
  return sent;
}
