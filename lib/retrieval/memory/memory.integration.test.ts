import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { connection } from "../../db/client.ts";
import { servedState } from "../../db/served-content.ts";
import type { KeyPolicy } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { addSources } from "../../knowledge/intake/add.ts";
import { sourceInput } from "../../knowledge/intake/source-input.ts";
import { restoreSource } from "../../knowledge/restore.ts";
import { deleteSource } from "../../knowledge/service.ts";
import { testDatabase } from "../../testing/database.ts";
import { addAndIngest, ask, document, newCompany, workUntilDone } from "../../testing/knowledge.ts";
import type { RetrieveInput } from "../schema.ts";
import { estimateBytes } from "./company-index.ts";
import { IndexMemory, setIndexMemory } from "./index-memory.ts";

testDatabase();

const MEGABYTE = 1024 * 1024;
const WORDS: [string, ...string[]] = [
  "invoice",
  "router",
  "refund",
  "domain",
  "password",
  "delivery",
  "contract",
  "backup",
  "kitchen",
  "garden",
];
const AUDIENCES: [string, ...string[]] = ["copilot", "ai_agent", "team"];

/** A small deterministic generator (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const random = randomFrom(7);
function pick<Item>(items: [Item, ...Item[]]): Item {
  return items[random(items.length)] ?? items[0];
}

function randomDocument(id: number) {
  const sentence = () => `The ${pick(WORDS)} of a ${pick(WORDS)} needs ${pick(WORDS)} number ${random(50)}.`;
  return document(`doc-${id}`, Array.from({ length: 1 + random(4) }, sentence).join(" "), {
    audience: [pick(AUDIENCES), pick(AUDIENCES)],
    contentCategory: pick(["policy", "guide"]),
    path: [pick(["Help", "Shop"])],
    metadata: { year: 2020 + random(5) },
  });
}

async function replace(scope: TenantScope, ...sources: unknown[]) {
  const given = sources.map((source) => sourceInput.parse(source));
  await workUntilDone(scope, await addSources(scope, SYSTEM_ACTOR, given, { widenTo: "any" }));
}

interface Case {
  input: RetrieveInput;
  policy: KeyPolicy;
}

function randomCase(): Case {
  const filters = pick<RetrieveInput["filters"]>([
    {},
    { audience: pick(AUDIENCES) },
    { path: ["Help"] },
    { metadata: { year: { gte: 2022 } } },
    { contentCategory: "guide", audience: pick(AUDIENCES) },
  ]);
  const policy = pick<KeyPolicy>([{}, { audience: ["copilot"] }, { path: ["Shop"] }, { audience: [] }]);
  const [first, second, number] = [pick(WORDS), pick(WORDS), random(50)];
  // the words of the second one are translated for English chunks
  const queryText = pick([
    `${first} ${second} ${number}`,
    `Quanti giorni ci vogliono per il contratto ${first} ${number}?`,
  ]);
  return { input: { queryText, filters, limit: 1 + random(30), useRerank: random(4) === 0 }, policy };
}

const off = new IndexMemory(0);

async function resultsOf(scope: TenantScope, memory: IndexMemory, { input, policy }: Case) {
  setIndexMemory(memory);
  const { response, trace } = await ask(scope, input, { policy });
  const { starts: _, ...counts } = trace;
  return { results: response.results, index: trace.index, trace: counts };
}

/** Loads the index, whatever was in memory before. */
async function warm(scope: TenantScope, memory: IndexMemory) {
  await resultsOf(scope, memory, randomCase());
  await memory.untilLoaded();
}

async function expectSame(scope: TenantScope, memory: IndexMemory, count = 6) {
  for (let i = 0; i < count; i++) {
    const asked = randomCase();
    const inMemory = await resultsOf(scope, memory, asked);
    const inDatabase = await resultsOf(scope, off, asked);
    expect(inMemory.index).toBe("memory");
    expect(inDatabase.index).toBe("database");
    expect(inMemory.results).toEqual(inDatabase.results);
    expect(inMemory.trace).toEqual({ ...inDatabase.trace, index: "memory" });
  }
}

describe("a search in memory", () => {
  let scope: TenantScope;
  let ids: string[];
  const memory = new IndexMemory(64 * MEGABYTE);
  beforeAll(async () => {
    scope = await newCompany();
    const accepted = await addAndIngest(scope, ...Array.from({ length: 40 }, (_, id) => randomDocument(id)));
    ids = accepted.map(({ id }) => id);
    await warm(scope, memory);
  });
  afterEach(() => setIndexMemory());

  it("gives the results of the database, after every kind of change", async () => {
    await expectSame(scope, memory, 12);
    await replace(scope, ...Array.from({ length: 6 }, (_, id) => randomDocument(id * 3)));
    await expectSame(scope, memory);
    for (const id of ids.slice(5, 15)) await deleteSource(scope, SYSTEM_ACTOR, id);
    await expectSame(scope, memory);
    for (const id of ids.slice(5, 9)) await restoreSource(scope, SYSTEM_ACTOR, id);
    await expectSame(scope, memory);
    // new labels alone
    const labelled = document("doc-20", "The garden needs a refund.");
    await replace(scope, { ...labelled, audience: ["team"] });
    await replace(scope, { ...labelled, audience: ["copilot"] });
    await expectSame(scope, memory);
    await addAndIngest(scope, ...Array.from({ length: 10 }, (_, id) => randomDocument(100 + id)));
    await expectSame(scope, memory);
  });

  it("begins again when the content changes between the comparison and the reading of the chunks", async () => {
    const { id } = (await addAndIngest(scope, document("late", "A zeppelin lands behind the museum.")))[0] ?? {
      id: "",
    };
    let hasChanged = false;
    const interrupted: TenantScope = {
      ...scope,
      async read(statements) {
        // the posting lists and the chunks are read together with the stamp
        if (!hasChanged && statements.length === 2) {
          hasChanged = true;
          await deleteSource(scope, SYSTEM_ACTOR, id);
        }
        return scope.read(statements);
      },
    };
    await warm(scope, memory);
    const found = await resultsOf(interrupted, memory, { input: { queryText: "zeppelin museum" }, policy: {} });
    expect(hasChanged).toBe(true);
    expect(found.results.map(({ payload }) => payload.sourceId)).not.toContain("late");
  });

  describe("after a change of content", () => {
    const hangar: Case = { input: { queryText: "zeppelin hangar" }, policy: {} };
    const inHangar = (audience: string) => document("labelled", "A zeppelin needs a hangar.", { audience: [audience] });
    let reads = 0;
    const firstResult = async () => {
      const counted: TenantScope = {
        ...scope,
        async read(statements) {
          // the posting lists and the chunks are read together with the stamp
          if (statements.length === 2) reads++;
          return scope.read(statements);
        },
      };
      return (await resultsOf(counted, memory, hangar)).results[0]?.payload;
    };
    beforeEach(async () => {
      await replace(scope, inHangar("team"));
      await warm(scope, memory);
      await firstResult();
      reads = 0;
    });

    it("reads cached chunks again before they are asked for", async () => {
      await replace(scope, inHangar("copilot"));
      await warm(scope, memory);
      expect(await firstResult()).toMatchObject({ sourceId: "labelled", audience: ["copilot"] });
      expect(reads).toBe(0);
    });

    it("reads cached posting lists again before they are asked for", async () => {
      const [other] = await addAndIngest(
        scope,
        document("other", "The bees of the museum fly to the flowers in June."),
      );
      await warm(scope, memory);
      // its chunk would be read
      await deleteSource(scope, SYSTEM_ACTOR, other?.id ?? "");
      await warm(scope, memory);
      expect(await firstResult()).toMatchObject({ sourceId: "labelled" });
      expect(reads).toBe(0);
    });
  });

  it("leaves a company to the database that does not fit", async () => {
    const small = new IndexMemory(1_000, { keptMs: 0 });
    await warm(scope, small);
    expect((await resultsOf(scope, small, randomCase())).index).toBe("database");
    expect(small.state()).toMatchObject({ usedBytes: 0, hits: 0 });
  });

  it("makes room for another company, and shows no company what another one has", async () => {
    const other = await newCompany("Neighbour");
    await addAndIngest(other, document("theirs", "The zeppelin of the neighbours."));
    const tight = new IndexMemory(MEGABYTE / 2, { keptMs: 0 });
    await warm(scope, tight);
    await warm(other, tight);
    expect(tight.state().usedBytes).toBeLessThanOrEqual(MEGABYTE / 2);
    expect(tight.state().loads).toBe(2);
    const found = await resultsOf(other, tight, { input: { queryText: "invoice router zeppelin" }, policy: {} });
    expect(found.index).toBe("memory");
    expect(found.results.map(({ payload }) => payload.sourceId)).toEqual(["theirs"]);
  });

  it("loads a company again that was removed for another one while its changes were read", async () => {
    const other = await newCompany("Neighbour");
    await addAndIngest(other, document("theirs", "The zeppelin of the neighbours."));
    const tight = new IndexMemory(MEGABYTE / 2, { keptMs: 0 });
    await warm(scope, tight);
    await addAndIngest(scope, document("new", "The garden has a new fountain."));
    let reads = 0;
    const interrupted: TenantScope = {
      ...scope,
      async read(statements) {
        const rows = await scope.read(statements);
        // first the blocks, then the new chunk
        if (++reads === 2) await warm(other, tight);
        setIndexMemory(tight);
        return rows;
      },
    };
    expect((await resultsOf(interrupted, tight, randomCase())).index).toBe("database");
    expect(tight.state().loads).toBe(2);
    await warm(scope, tight);
    await expectSame(scope, tight);
  });

  it("leaves a company to the database that grows beyond the memory", async () => {
    const growing = await newCompany("Growing");
    await addAndIngest(growing, document("first", "The garden is open."));
    const enough = new IndexMemory(estimateBytes({ live: 3, blocks: 1, dimensions: 384 }), { keptMs: 0 });
    await warm(growing, enough);
    expect((await resultsOf(growing, enough, randomCase())).index).toBe("memory");
    await addAndIngest(growing, ...Array.from({ length: 8 }, (_, id) => randomDocument(id)));
    expect((await resultsOf(growing, enough, randomCase())).index).toBe("database");
    expect(enough.state().usedBytes).toBe(0);
  });

  it("uses later content for a request whose content has changed, and keeps its caches", async () => {
    await warm(scope, memory);
    const before = await servedState(scope);
    await addAndIngest(scope, document("later", "The fountain of the garden is new."));
    await warm(scope, memory);
    const after = await servedState(scope);
    const index = await memory.indexOf(scope, before);
    expect(index?.content?.stamp).toBe(after.stamp);
    const cached = index?.cachedBefore;
    expect(await memory.indexOf(scope, before)).toBe(index);
    expect(index?.cachedBefore).toBe(cached);
  });

  it("keeps a company that was just searched, and leaves another one to the database", async () => {
    const other = await newCompany("Neighbour");
    await addAndIngest(other, document("theirs", "The zeppelin of the neighbours."));
    const tight = new IndexMemory(MEGABYTE / 2);
    await warm(scope, tight);
    await warm(other, tight);
    expect((await resultsOf(other, tight, randomCase())).index).toBe("database");
    expect((await resultsOf(scope, tight, randomCase())).index).toBe("memory");
  });

  it("loads again after a restored backup", async () => {
    await warm(scope, memory);
    await connection().db.execute(sql`
      update ragstone.companies set content_stamp = gen_random_uuid(), index_generation = gen_random_uuid()`);
    expect((await resultsOf(scope, memory, randomCase())).index).toBe("database");
    await memory.untilLoaded();
    await expectSame(scope, memory, 3);
  });
});
