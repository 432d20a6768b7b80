import { beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_ACTOR } from "./audit/record.ts";
import { AppError } from "./errors.ts";
import { testDatabase } from "./testing/database.ts";
import { everythingOf, type FilledCompany, filledCompany } from "./testing/filled-company.ts";
import { work } from "./testing/knowledge.ts";
import type { ServiceCall } from "./testing/service-call.ts";
import { SERVICE_CALLS } from "./testing/service-calls.ts";
import { serviceMethods } from "./testing/service-methods.ts";
import { flushQueryLog } from "./usage/record.ts";

testDatabase();

/** A word in all data of the other company, and in no other. */
const SECRET = "zanzibarite";

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

  it("have a call here for every service method", () => {
    const methods = serviceMethods();
    expect(Object.keys(SERVICE_CALLS)).toEqual(expect.arrayContaining(methods.map(({ name }) => name)));
    expect(methods.length).toBeGreaterThan(40);
  });

  const calls = Object.entries(SERVICE_CALLS).map(([name, [, call]]): [string, ServiceCall] => [name, call]);
  it.each(calls)("%s shows one company nothing of the other and changes nothing there", async (name, call) => {
    const actor = ["reportAnswer", "listRuns", "runInPlayground", "whyNot"].includes(name) ? own.admin : SYSTEM_ACTOR;
    const outcome = await call(own.scope, actor, other).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
    const shown = JSON.stringify(outcome instanceof AppError ? outcome.message : outcome) ?? "";
    expect(shown).not.toContain(SECRET);
    await flushQueryLog();
    expect(await everythingOf(other.scope)).toEqual(before);
  });
});
