import { afterAll, beforeEach, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { servedState } from "../../db/served-content.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { addSources } from "../../knowledge/intake/add.ts";
import { sourceInput } from "../../knowledge/intake/source-input.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, companyWith, document } from "../../testing/knowledge.ts";
import type { CompanyIndex } from "./company-index.ts";
import { IndexMemory, setIndexMemory } from "./index-memory.ts";
import { ContentChanged, memoryReader } from "./memory-reader.ts";

testDatabase();

const PUBLIC = { audience: ["public"] };
const TEAM = { audience: ["team"] };
const memory = new IndexMemory(2 ** 26);
let scope: TenantScope;

beforeEach(async () => {
  setIndexMemory(memory);
  scope = await companyWith(
    document("open", "The museum opens at nine.", PUBLIC),
    document("closed", "The museum is closed on Mondays.", TEAM),
  );
  await ask(scope, { queryText: "museum" });
  await memory.untilLoaded();
});
afterAll(() => setIndexMemory());

/** The index, refreshed as another question does. */
async function indexNow(): Promise<CompanyIndex> {
  return (await memory.indexOf(scope, await servedState(scope))) ?? expect.fail();
}

/** The scope, which counts its snapshots. @param after happens after each of them */
function counted(after: () => Promise<unknown> = async () => undefined) {
  const counts = { snapshots: 0 };
  const counting: TenantScope = {
    ...scope,
    async snapshot(work, from) {
      counts.snapshots++;
      const found = await scope.snapshot(work, from);
      await after();
      return found;
    },
  };
  return { counts, scope: counting };
}

it("searches that need the same eligible chunks at a time read them once", async () => {
  const { counts, scope: counting } = counted();
  const { eligible } = memoryReader(counting, await indexNow());
  const [first, same, other] = await Promise.all([eligible(PUBLIC), eligible(PUBLIC), eligible(TEAM)]);
  expect(counts.snapshots).toBe(2);
  expect(same).toBe(first);
  expect([first.count, other.count]).toEqual([1, 1]);
  expect(other.ordinals()).not.toEqual(first.ordinals());
});

it("a read that failed fails for all who waited, and is tried again by the next search", async () => {
  const index = await indexNow();
  const failing: TenantScope = { ...scope, snapshot: () => Promise.reject(new Error("unavailable")) };
  const { eligible } = memoryReader(failing, index);
  const outcomes = await Promise.allSettled([eligible(PUBLIC), eligible(PUBLIC)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await memoryReader(scope, index).eligible(PUBLIC)).count).toBe(1);
});

it("a search after a change of labels does not use what is still being read of the former content", async () => {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = counted(async () => {
    taken.resolve();
    await released.promise;
  });
  const earlier = memoryReader(slow.scope, await indexNow()).eligible(PUBLIC);
  await taken.promise;
  const narrowed = sourceInput.parse(document("open", "The museum opens at nine.", TEAM));
  await addSources(scope, SYSTEM_ACTOR, [narrowed], { widenTo: "any" });
  expect((await memoryReader(scope, await indexNow()).eligible(PUBLIC)).count).toBe(0);
  released.resolve();
  await expect(earlier).rejects.toThrow(ContentChanged);
});

it("a search continues in the database when the content changed while its eligible chunks were read", async () => {
  const changing = counted(async () => {
    await addAndIngest(scope, document(crypto.randomUUID(), "The bees fly to the flowers in June.", TEAM));
    await indexNow();
  });
  const { response, trace } = await ask(
    changing.scope,
    { queryText: "When does the museum open?" },
    { policy: PUBLIC },
  );
  expect(response.results.map(({ payload }) => payload.sourceId)).toEqual(["open"]);
  expect(trace.index).toBe("database");
  // one in memory, and that of the database
  expect(changing.counts.snapshots).toBe(2);
});
