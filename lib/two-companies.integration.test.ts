import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "./audit/record.ts";
import { AppError } from "./errors.ts";
import { testDatabase } from "./testing/database.ts";
import { everythingOf, type FilledCompany, filledCompany } from "./testing/filled-company.ts";
import { work } from "./testing/knowledge.ts";
import { SERVICE_CALLS, type ServiceCall, serviceMethods } from "./testing/service-calls.ts";
import { flushQueryLog } from "./usage/record.ts";

testDatabase();

/** A word that stands in everything of the other company, and nowhere else. */
const SECRET = "zanzibarite";

describe("two companies", () => {
  let ours: FilledCompany;
  let theirs: FilledCompany;
  let before: Awaited<ReturnType<typeof everythingOf>>;
  beforeAll(async () => {
    ours = await filledCompany("feldspar");
    theirs = await filledCompany(SECRET);
    await work(theirs.scope);
    before = await everythingOf(theirs.scope);
  });

  it("have a call here for every service method", () => {
    const methods = serviceMethods();
    expect(Object.keys(SERVICE_CALLS)).toEqual(expect.arrayContaining(methods.map(({ name }) => name)));
    expect(methods.length).toBeGreaterThan(40);
  });

  const calls: [string, ServiceCall][] = Object.entries(SERVICE_CALLS);
  it.each(calls)("%s shows ours nothing of theirs and changes nothing there", async (name, call) => {
    const actor = ["reportAnswer", "listRuns", "runInPlayground", "whyNot"].includes(name) ? ours.admin : SYSTEM_ACTOR;
    const outcome = await call(ours.scope, actor, theirs).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
    const shown = JSON.stringify(outcome instanceof AppError ? outcome.message : outcome) ?? "";
    expect(shown).not.toContain(SECRET);
    await flushQueryLog();
    expect(await everythingOf(theirs.scope)).toEqual(before);
  });
});
