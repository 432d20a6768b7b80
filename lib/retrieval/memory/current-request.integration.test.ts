import { afterAll, beforeAll, expect, it } from "vitest";
import { POST } from "../../../app/v1/api/rag/retrieve/route.ts";
import { createModels, RUNNING_MODELS } from "../../ai/models.ts";
import { createKey, restrictKey, revokeKey } from "../../api-keys/service.ts";
import { CLI_ACTOR, SYSTEM_ACTOR } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { parseEnv } from "../../env.ts";
import { deleteSource } from "../../knowledge/service.ts";
import { attachUpload } from "../../knowledge/uploads/attach.ts";
import { holdUpload } from "../../knowledge/uploads/hold.ts";
import { withSpooled } from "../../storage/spool.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, work } from "../../testing/knowledge.ts";
import { lengthenBudgets } from "../../testing/long-limits.ts";
import { startProviderServer } from "../../testing/provider-server.ts";
import { routeServer } from "../../testing/serve-route.ts";
import { scheduleMaintenance } from "../../worker/maintain.ts";
import { IndexMemory, setIndexMemory } from "./index-memory.ts";

testDatabase();
afterAll(lengthenBudgets("query"));
const serve = routeServer();
const memory = new IndexMemory(2 ** 26);
let scope: TenantScope;

beforeAll(async () => {
  setIndexMemory(memory);
  scope = await newCompany();
  await addAndIngest(
    scope,
    document("open", "The museum opens at nine.", { audience: ["copilot"] }),
    document("closed", "The museum is closed on Mondays.", { audience: ["team"] }),
  );
  await ask(scope, { queryText: "museum" });
  await memory.untilLoaded();
});
afterAll(() => {
  setIndexMemory();
  RUNNING_MODELS.set();
});

it("a request in memory sees every change of knowledge, policy and key that was made before it", async () => {
  const { id, token } = await createKey(scope, CLI_ACTOR, { name: "Museum" });
  const url = await serve(POST);
  async function found(): Promise<string[] | number> {
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ queryText: "When does the museum open?" }),
    });
    if (!response.ok) return response.status;
    const { results }: { results: { payload: { sourceId: string } }[] } = await response.json();
    return results.map(({ payload }) => payload.sourceId).sort();
  }
  expect(await found()).toEqual(["closed", "open"]);
  const [added] = await addAndIngest(
    scope,
    document("late", "The museum opens late on Fridays.", { audience: ["copilot"] }),
  );
  expect(await found()).toEqual(["closed", "late", "open"]);
  await restrictKey(scope, SYSTEM_ACTOR, { id, policy: { audience: ["copilot"] } });
  expect(await found()).toEqual(["late", "open"]);
  await deleteSource(scope, SYSTEM_ACTOR, added?.id ?? "");
  expect(await found()).toEqual(["open"]);
  await revokeKey(scope, SYSTEM_ACTOR, id);
  expect(await found()).toBe(401);
  expect(memory.state()).toMatchObject({ hits: 4, misses: 1, loads: 1 });
});

it("a file that is attached again with fewer audiences disappears from searches in memory immediately", async () => {
  async function attach(audience: string[]): Promise<void> {
    const file = (async function* () {
      yield Buffer.from("The umbrella stands beside the museum's door.");
    })();
    const { id } = await withSpooled(file, (spooled) =>
      holdUpload(scope, SYSTEM_ACTOR, { file: spooled, fileName: "rain.md", purpose: "assistants" }),
    );
    await attachUpload(scope, SYSTEM_ACTOR, id, { audience });
  }
  const found = async () => {
    const { response, trace } = await ask(scope, { queryText: "umbrella" }, { policy: { audience: ["copilot"] } });
    return { from: trace.index, sources: response.results.map(({ payload }) => payload.sourceId) };
  };
  await attach(["copilot"]);
  await work(scope);
  expect(await found()).toEqual({ from: "memory", sources: expect.arrayContaining(["rain.md"]) });
  await attach(["team"]);
  expect(await found()).toEqual({ from: "memory", sources: expect.not.arrayContaining(["rain.md"]) });
});

it("another embedding model is used as soon as its vectors are complete", async () => {
  const provider = await startProviderServer({ dimensions: 256 });
  RUNNING_MODELS.set(
    createModels(
      parseEnv({ OPENAI_BASE_URL: `${provider.url}/v1`, EMBEDDING_DIMENSIONS: "256", ANSWER_MODEL: "local" }),
    ),
  );
  const question = { queryText: "Is the museum closed on Mondays?" };
  const before = await ask(scope, question);
  await scheduleMaintenance();
  await work(scope);
  const first = await ask(scope, question);
  await memory.untilLoaded();
  const second = await ask(scope, question);
  expect([before, first, second].map(({ trace }) => trace.index)).toEqual(["memory", "database", "memory"]);
  expect([before, first].map(({ trace }) => trace.model?.endsWith("/256"))).toEqual([false, true]);
  expect(second.response.results).toEqual(first.response.results);
  await provider.close();
});
