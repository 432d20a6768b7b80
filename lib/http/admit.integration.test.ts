import { afterEach, expect, test, vi } from "vitest";
import { createKey, revokeKey } from "../api-keys/service.ts";
import { CLI_ACTOR } from "../audit/record.ts";
import { AppError } from "../errors.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";
import { admit } from "./admit.ts";

vi.stubEnv("LOG_LEVEL", "silent");
testDatabase();

const busy = () => new AppError("TooManyRequests", "Too many questions are waiting");
const free = () => null;

afterEach(() => vi.restoreAllMocks());

test("a refused key is refused for one more second without a read of the database, but never served from memory", async () => {
  const clock = vi.spyOn(performance, "now");
  const now = performance.now();
  clock.mockReturnValue(now);
  const scope = await newCompany();
  const { token, id: keyId } = await createKey(scope, CLI_ACTOR, { name: "Busy" });
  const ask = (capacityRefusal: () => AppError | null) => {
    const headers = new Headers({ Authorization: `Bearer ${token}` });
    const trace = { ids: { requestId: crypto.randomUUID() }, headers: new Headers() };
    const admitted = admit({ headers }, { scope: "retrieve", capacityRefusal }, trace);
    return admitted.then(
      ({ id }) => ({ id, remaining: trace.headers.get("RateLimit-Remaining") }),
      ({ error }) => ({ error, remaining: trace.headers.get("RateLimit-Remaining") }),
    );
  };
  expect(await ask(free)).toEqual({ id: keyId, remaining: "599" });
  expect(await ask(busy)).toEqual({ error: "TooManyRequests", remaining: "598" });
  expect(await ask(busy)).toEqual({ error: "TooManyRequests", remaining: "597" });
  await revokeKey(scope, CLI_ACTOR, keyId);
  expect(await ask(free)).toEqual({ error: "Unauthorized", remaining: null });
  expect(await ask(busy)).toEqual({ error: "TooManyRequests", remaining: "596" });
  clock.mockReturnValue(now + 1_001);
  // the cache looks at the clock once a millisecond
  await vi.waitFor(async () => expect(await ask(busy)).toEqual({ error: "Unauthorized", remaining: null }), 20_000);
});
