import { expect, it } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { countKnowledgeCall } from "../usage/count-knowledge-calls.ts";
import { latestRequestOf } from "./latest-request.ts";

testDatabase();

it("finds the first request of an existing key after the server's time of the first poll", async () => {
  const scope = await newCompany();
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  recordRequest(scope, keyId, { at: new Date(Date.now() - 60_000) });
  const first = await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since: null, served: null });
  expect(first.request).toBeNull();
  expect(Math.abs(Date.now() - Number(first.since))).toBeLessThan(30_000);

  const { since, served } = first;
  const poll = { keyId, since, served };
  expect(await latestRequestOf(scope, SYSTEM_ACTOR, poll)).toEqual({ since, served, request: null });
  recordRequest(scope, keyId, { statusCode: 403, error: "Forbidden" });
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, poll)).request).toEqual({ error: "Forbidden" });
});

it("finds the first request of a new key since the key was created", async () => {
  const scope = await newCompany();
  const { id: keyId, createdAt: since } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  const poll = { keyId, since, served: null };
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, poll)).request).toBeNull();
  recordRequest(scope, keyId, {});
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, poll)).request).toEqual({ error: null });
});

it("finds an answered call that manages knowledge after a refused one", async () => {
  const scope = await newCompany();
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Sync" });
  const call = (failed: boolean) => countKnowledgeCall(scope.companyId, { apiKeyId: keyId, via: "api", failed });
  call(false);
  const { since, served } = await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since: null, served: null });
  const poll = { keyId, since, served };
  recordRequest(scope, keyId, { origin: "manage", statusCode: 422, error: "ValidationError" });
  call(true);
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, poll)).request).toEqual({ error: "ValidationError" });
  call(false);
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, poll)).request).toEqual({ error: null });
});
