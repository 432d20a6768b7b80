import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { RUNNING_MODELS } from "../ai/models.ts";
import { createKey, getKey, revokeKey } from "../api-keys/service.ts";
import { type Actor, CLI_ACTOR, SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { deleteSource } from "../knowledge/service.ts";
import { retrieveRequest } from "../retrieval/schema.ts";
import { setSubscription } from "../subscriptions/service.ts";
import { answerByProvider } from "../testing/answer-model.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, companyWith, document, newCompany } from "../testing/knowledge.ts";
import { startProviderServer } from "../testing/provider-server.ts";
import { countServed, listKeyCalls } from "../usage/service.ts";
import { listRuns } from "./history.ts";
import { type PlaygroundFound, type PlaygroundPart, runInPlayground } from "./run.ts";
import { whyNot } from "./why-not.ts";

const LIMIT = 5;
// read once, when the database is first used
process.env.RATE_LIMIT_PER_MINUTE = String(LIMIT);
testDatabase();
let scope: TenantScope;

beforeAll(async () => {
  scope = await companyWith(
    document("terms.md", "Contracts are cancelled in writing.", { path: ["Policies"] }),
    document("router.md", "The router is cancelled from the list.", { path: ["Help"] }),
  );
});

function member({ companyId }: TenantScope, id: string = randomUUID()): Actor {
  return { type: "user", id, name: "Ada Marl", companyId, role: "support" };
}

function run(queryText: string, options: { userId?: string; keyId?: string | null; more?: object } = {}) {
  const { userId, keyId = null, more } = options;
  const request = retrieveRequest.parse({ queryText, ...more });
  return foundIn(runInPlayground(scope, member(scope, userId), { requestId: randomUUID(), request, keyId }));
}

async function foundIn(parts: AsyncIterable<PlaygroundPart>): Promise<PlaygroundFound> {
  let found: PlaygroundFound | undefined;
  for await (const part of parts) if (part.type === "found") found = part;
  return found ?? expect.fail("the run found nothing");
}

test("a run with a key follows its policy, and does not count as use of the key", async () => {
  const { id: keyId } = await createKey(scope, CLI_ACTOR, {
    name: "Narrow",
    policy: { path: ["Policies"], answers: false },
    rateLimitPerMinute: 1,
  });
  for (let time = 0; time < 3; time++) {
    const { response } = await run("cancel a contract", { keyId });
    expect(response.results.map(({ payload }) => payload.sourceId)).toEqual(["terms.md"]);
  }
  await expect(run("cancel", { keyId, more: { returnMode: "ai_generated_answer" } })).rejects.toMatchObject({
    error: "Forbidden",
  });
  expect((await getKey(scope, SYSTEM_ACTOR, keyId)).lastUsedAt).toBeNull();
  expect(await listKeyCalls(scope, SYSTEM_ACTOR, keyId)).toEqual([]);
  await revokeKey(scope, CLI_ACTOR, keyId);
  await expect(run("cancel", { keyId })).rejects.toMatchObject({ error: "Conflict" });
  await expect(run("cancel", { keyId: randomUUID() })).rejects.toMatchObject({ error: "NotFound" });
});

test("works while the API refuses, does not count towards the allowance, and marks matching words", async () => {
  await setSubscription(scope, CLI_ACTOR, { status: "CANCELLED" });
  const { response, matched } = await run("How are contracts cancelled?");
  expect(response.results[0]?.payload.sourceId).toBe("terms.md");
  expect(matched[0]).toEqual(["Contracts", "cancelled"]);
  const everything = { start: new Date("2000-01-01"), end: new Date("2100-01-01") };
  expect(await countServed(scope, SYSTEM_ACTOR, everything)).toBe(0);
});

test("each member has a separate rate limit", async () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  for (let time = 0; time < LIMIT; time++) await run("cancel", { userId: busy });
  await expect(run("cancel", { userId: busy })).rejects.toMatchObject({ error: "TooManyRequests" });
  await expect(run("cancel", { userId: other })).resolves.toBeDefined();
});

test("the history contains the member's own runs, without repetitions or context", async () => {
  const userId = randomUUID();
  const more = { scoreThreshold: 0.1, clientName: "Zoltan Quartz" };
  await run("first", { userId });
  await run("second", { userId, more });
  await run("second", { userId, more: { ...more, clientName: "Somebody else" } });
  await run("of another", { userId: randomUUID() });
  const runs = await listRuns(scope, member(scope, userId));
  expect(runs.map(({ queryText }) => queryText)).toEqual(["second", "first"]);
  expect(runs[0]?.request).toMatchObject({ scoreThreshold: 0.1, limit: 10 });
  expect(JSON.stringify(runs)).not.toMatch(/Zoltan|Somebody/);
  const other = await newCompany();
  expect(await listRuns(other, member(other, userId))).toEqual([]);
});

test("a run ends with the answer as it may be kept with a report", async () => {
  const addressed = (name: string) => `Dear ${name}, contracts are cancelled in writing [1].`;
  const provider = await startProviderServer({ answer: () => addressed("Ada Rossi") });
  answerByProvider(provider.url);
  try {
    const more = { returnMode: "ai_generated_answer", clientName: "Ada Rossi" };
    const request = retrieveRequest.parse({ queryText: "How are contracts cancelled?", ...more });
    const asked = { requestId: randomUUID(), request, keyId: null };
    const parts: PlaygroundPart[] = [];
    for await (const part of runInPlayground(scope, member(scope), asked)) parts.push(part);
    expect(parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("")).toBe(addressed("Ada Rossi"));
    expect(parts.at(-1)).toMatchObject({ type: "finished", keptAnswer: addressed("[name]") });
  } finally {
    RUNNING_MODELS.set();
    await provider.close();
  }
});

test("explains why a source is missing: its rank, or what excluded it", async () => {
  const { id: keyId } = await createKey(scope, CLI_ACTOR, { name: "Policies", policy: { path: ["Policies"] } });
  const ask = async (name: string, more: object = {}, key: string | null = null) => {
    const request = retrieveRequest.parse({ queryText: "cancel a contract", ...more });
    return (await whyNot(scope, member(scope), { request, keyId: key, name })).verdict;
  };
  expect(await ask("terms.md")).toMatchObject({ kind: "returned", rank: 1 });
  expect(await ask("ROUTER", { limit: 1 })).toMatchObject({ kind: "behind_limit", rank: 2 });
  expect(await ask("router", { scoreThreshold: 0.99 })).toMatchObject({ kind: "below_threshold", rank: 2 });
  const filters = { audience: "nobody", path: ["Policies"] };
  expect(await ask("router", { filters })).toEqual({
    kind: "excluded",
    by: [
      { filter: "audience", isOfKey: false },
      { filter: "path", isOfKey: false },
    ],
  });
  expect(await ask("router", {}, keyId)).toEqual({ kind: "excluded", by: [{ filter: "path", isOfKey: true }] });
  await expect(ask("no such source")).rejects.toMatchObject({ error: "NotFound" });
});

test("explains that a key and a filter have no audience in common", async () => {
  const own = await newCompany();
  await addAndIngest(own, document("both.md", "Refunds take ten days.", { audience: ["staff", "shop"] }));
  const { id: keyId } = await createKey(own, CLI_ACTOR, { name: "Staff", policy: { audience: ["staff"] } });
  const request = retrieveRequest.parse({ queryText: "How long does a refund take?", filters: { audience: "shop" } });
  const { verdict } = await whyNot(own, member(own), { request, keyId, name: "both.md" });
  expect(verdict).toEqual({
    kind: "excluded",
    by: [
      { filter: "audience", isOfKey: false },
      { filter: "audience", isOfKey: true },
    ],
  });
});

test("explains that a source repeats another, or was deleted", async () => {
  const own = await newCompany();
  const text = "Refunds take ten days.";
  const [, copy] = await addAndIngest(own, document("a.md", text), document("b.md", text));
  const request = retrieveRequest.parse({ queryText: "How long does a refund take?" });
  const ask = async (name: string) => (await whyNot(own, member(own), { request, keyId: null, name })).verdict;
  expect(await ask("b.md")).toEqual({ kind: "repeats", sourceId: "a.md", rank: 1 });
  await deleteSource(own, CLI_ACTOR, copy?.id ?? "");
  expect(await ask("b.md")).toEqual({ kind: "deleted" });
});
