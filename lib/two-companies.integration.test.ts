import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "./audit/record.ts";
import { AppError } from "./errors.ts";
import { IndexMemory, setIndexMemory } from "./retrieval/memory/index-memory.ts";
import { testDatabase } from "./testing/database.ts";
import { everythingOf, type FilledCompany, filledCompany } from "./testing/filled-company.ts";
import { ask, work } from "./testing/knowledge.ts";
import type { ServiceCall } from "./testing/service-call.ts";
import { SERVICE_CALLS } from "./testing/service-calls.ts";
import { serviceMethods } from "./testing/service-methods.ts";
import { flushQueryLog } from "./usage/record.ts";

testDatabase();

/** A word in all data of the other company, and in no other. */
const SECRET = "zanzibarite";
/** The service methods that search. */
const SEARCHES = ["retrieve", "streamRetrieval", "evaluate", "askForAnswers", "runInPlayground", "whyNot", "askAgain"];

describe("two companies", () => {
  let own: FilledCompany;
  let other: FilledCompany;
  let before: Awaited<ReturnType<typeof everythingOf>>;
  beforeAll(async () => {
    own = await filledCompany("feldspar");
    other = await filledCompany(SECRET);
    await work(other.scope);
    before = await everythingOf(other.scope);
  });
  afterEach(() => setIndexMemory());

  it("have rows in every table of a company", () => {
    const empty = Object.keys(before).filter((table) => before[table]?.length === 0);
    expect(empty).toEqual([]);
  });

  it("have a call here for every service method", () => {
    const methods = serviceMethods();
    expect(Object.keys(SERVICE_CALLS)).toEqual(expect.arrayContaining(methods.map(({ name }) => name)));
    expect(methods.length).toBeGreaterThan(40);
  });

  const calls = Object.entries(SERVICE_CALLS).map(([name, [, call]]): [string, ServiceCall] => [name, call]);
  async function expectNothingOfOther(name: string, call: ServiceCall) {
    const actor = ["reportAnswer", "listRuns", "runInPlayground", "whyNot"].includes(name) ? own.admin : SYSTEM_ACTOR;
    const outcome = await call(own.scope, actor, other).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
    const shown = JSON.stringify(outcome instanceof AppError ? outcome.message : outcome) ?? "";
    expect(shown).not.toContain(SECRET);
    await flushQueryLog();
    expect(await everythingOf(other.scope)).toEqual(before);
  }

  const searches = calls.filter(([name]) => SEARCHES.includes(name));
  it.each(searches)("%s shows nothing of the other from the memory of both", async (name, call) => {
    await searchInTurn(new IndexMemory(2 ** 26), [other, own]);
    await expectNothingOfOther(name, call);
  });

  it.each(searches)("%s shows nothing of the other where its index was before", async (name, call) => {
    const measured = new IndexMemory(2 ** 26);
    await searchInTurn(measured, [own]);
    const roomForOne = 1.5 * measured.state().usedBytes;
    await searchInTurn(new IndexMemory(roomForOne, { keptMs: 0 }), [other, own]);
    await expectNothingOfOther(name, call);
  });

  it.each(searches)("%s shows nothing of the other without memory", async (name, call) => {
    setIndexMemory(new IndexMemory(0));
    await expectNothingOfOther(name, call);
  });

  // last, because it deletes the company
  it.each(calls)("%s shows one company nothing of the other and changes nothing there", expectNothingOfOther);
});

/** Loads the index of each company after the one before. */
async function searchInTurn(memory: IndexMemory, companies: FilledCompany[]): Promise<void> {
  setIndexMemory(memory);
  for (const { scope, word } of companies) {
    const search = () => ask(scope, { queryText: word }, { origin: "test" });
    await search();
    await memory.untilLoaded();
    expect((await search()).trace.index).toBe("memory");
  }
}
