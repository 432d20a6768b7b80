import { expect, it } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { latestRequestOf } from "./latest-request.ts";

testDatabase();

it("finds the first request of an existing key after the server's time of the first look", async () => {
  const scope = await newCompany();
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  recordRequest(scope, keyId, { at: new Date(Date.now() - 60_000) });
  const first = await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since: null });
  expect(first.request).toBeNull();
  expect(Math.abs(Date.now() - Number(first.since))).toBeLessThan(30_000);

  const { since } = first;
  expect(await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since })).toEqual({ since, request: null });
  recordRequest(scope, keyId, { statusCode: 403, error: "Forbidden" });
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since })).request).toMatchObject({ statusCode: 403 });
});

it("finds the first request of a new key since the key was created", async () => {
  const scope = await newCompany();
  const { id: keyId, createdAt: since } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since })).request).toBeNull();
  recordRequest(scope, keyId, {});
  expect((await latestRequestOf(scope, SYSTEM_ACTOR, { keyId, since })).request).toMatchObject({ statusCode: 200 });
});
