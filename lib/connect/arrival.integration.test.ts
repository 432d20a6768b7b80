import { expect, it } from "vitest";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { recordRequest } from "../testing/usage.ts";
import { arrivalOf } from "./arrival.ts";

testDatabase();

it("finds the first request of an existing key after the server's time of the first look", async () => {
  const scope = await newCompany();
  const { id: keyId } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  recordRequest(scope, keyId, { at: new Date(Date.now() - 60_000) });
  const first = await arrivalOf(scope, SYSTEM_ACTOR, { keyId, since: null });
  expect(first.arrival).toBeNull();
  expect(Math.abs(Date.now() - Number(first.since))).toBeLessThan(30_000);

  const { since } = first;
  expect(await arrivalOf(scope, SYSTEM_ACTOR, { keyId, since })).toEqual({ since, arrival: null });
  recordRequest(scope, keyId, { statusCode: 403, error: "Forbidden" });
  expect((await arrivalOf(scope, SYSTEM_ACTOR, { keyId, since })).arrival).toMatchObject({ statusCode: 403 });
});

it("finds the first request of a new key since the key was created", async () => {
  const scope = await newCompany();
  const { id: keyId, createdAt: since } = await createKey(scope, SYSTEM_ACTOR, { name: "Chatbot" });
  expect((await arrivalOf(scope, SYSTEM_ACTOR, { keyId, since })).arrival).toBeNull();
  recordRequest(scope, keyId, {});
  expect((await arrivalOf(scope, SYSTEM_ACTOR, { keyId, since })).arrival).toMatchObject({ statusCode: 200 });
});
