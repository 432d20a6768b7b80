import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { GET } from "../../app/v1/api/status/route.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { HOUR_MS } from "../durations.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { lengthenDatabaseTimeout } from "../testing/long-limits.ts";
import { routeServer } from "../testing/serve-route.ts";
import { createKey, revokeKey, rotateKey } from "./service.ts";

testDatabase();
lengthenDatabaseTimeout();

const CLIENTS = 6;
/** Requests before and after the change. */
const REQUESTS = 60;
const serve = routeServer();
let scope: TenantScope;

beforeAll(async () => {
  scope = await newCompany();
});
afterEach(() => void vi.useRealTimers());

const newKey = (name: string) => createKey(scope, CLI_ACTOR, { name, rateLimitPerMinute: 0 });

async function statusOf(url: string, token: string): Promise<number> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  return response.status;
}

/** Sends requests with a key before, during and after a change. @returns their statuses, by when they were sent */
async function requestsAround(token: string, change: () => Promise<unknown>) {
  const url = await serve(GET);
  const statuses: Record<"before" | "after", number[]> = { before: [], after: [] };
  const enough = Promise.withResolvers<void>();
  let sent: keyof typeof statuses = "before";
  const client = async () => {
    while (statuses.after.length < REQUESTS) {
      const when = sent;
      statuses[when].push(await statusOf(url, token));
      if (statuses.before.length >= REQUESTS) enough.resolve();
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await enough.promise;
  await change();
  sent = "after";
  await Promise.all(clients);
  return statuses;
}

test("no request that is sent after the answer to a revocation is accepted, however many are running", async () => {
  const { id, token } = await newKey("Revoked under load");
  const { before, after } = await requestsAround(token, () => revokeKey(scope, CLI_ACTOR, id));
  expect(new Set(before.slice(0, REQUESTS - CLIENTS))).toEqual(new Set([200]));
  expect(new Set(after)).toEqual(new Set([401]));
});

test("the replaced key of a rotation is accepted without a gap until its overlap ends, and then refused", async () => {
  const { id, token } = await newKey("Rotated under load");
  let successor = "";
  const { before, after } = await requestsAround(token, async () => {
    successor = (await rotateKey(scope, CLI_ACTOR, { id, overlap: "1h" })).token;
  });
  expect(new Set([...before, ...after])).toEqual(new Set([200]));
  const url = await serve(GET);
  const now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  for (const [minutes, status] of [
    [59, 200],
    [61, 401],
  ] as const) {
    vi.setSystemTime(now + (minutes / 60) * HOUR_MS);
    expect([await statusOf(url, token), await statusOf(url, successor)]).toEqual([status, 200]);
  }
});

test("the replaced key of a rotation without overlap is refused from its answer on, and its successor accepted", async () => {
  const { id, token } = await newKey("Replaced under load");
  let successor = "";
  const { after } = await requestsAround(token, async () => {
    successor = (await rotateKey(scope, CLI_ACTOR, { id, overlap: "now" })).token;
  });
  expect(new Set(after)).toEqual(new Set([401]));
  expect(await statusOf(await serve(GET), successor)).toBe(200);
});
