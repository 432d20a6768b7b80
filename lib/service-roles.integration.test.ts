import { beforeAll, describe, expect, it } from "vitest";
import { type Actor, CLI_ACTOR, SYSTEM_ACTOR } from "./audit/record.ts";
import type { KeyScope } from "./db/column-values.ts";
import { AppError } from "./errors.ts";
import { testDatabase } from "./testing/database.ts";
import { everythingOf, type FilledCompany, filledCompany } from "./testing/filled-company.ts";
import type { Callers, ServiceCall } from "./testing/service-call.ts";
import { SERVICE_CALLS } from "./testing/service-calls.ts";
import { serviceMethods } from "./testing/service-methods.ts";
import { flushQueryLog } from "./usage/record.ts";

testDatabase();

const ROLES = [
  "admin",
  "support",
  "admin of another company",
  "retrieve key",
  "ingest key",
  "manage key",
  "manage key of another company",
  "unknown type",
  "cli",
  "system",
] as const;
type ActingRole = (typeof ROLES)[number];

const ADMINS: readonly ActingRole[] = ["admin", "cli", "system"];
const MEMBERS: readonly ActingRole[] = [...ADMINS, "support"];
const ALLOWED_ROLES: Record<Callers, readonly ActingRole[]> = {
  operator: ["cli", "system"],
  admins: ADMINS,
  "admins of any company": [...ADMINS, "admin of another company"],
  "admins, ingest keys": [...ADMINS, "ingest key", "manage key"],
  "admins, manage keys": [...ADMINS, "manage key"],
  members: MEMBERS,
  "members, manage keys": [...MEMBERS, "manage key"],
  people: ["admin", "support"],
  askers: [...MEMBERS, "retrieve key"],
  anybody: ROLES,
};

function keyOf({ keyId, scope: { companyId } }: FilledCompany, scope: KeyScope): Actor {
  return { type: "api_key", id: keyId, name: "Key", companyId, scopes: [scope], policy: {} };
}

describe("service methods by role", () => {
  let company: FilledCompany;
  let actors: Record<ActingRole, Actor>;
  beforeAll(async () => {
    company = await filledCompany("rolestone");
    const other = await filledCompany("otherstone");
    actors = {
      admin: company.admin,
      support: company.support,
      "admin of another company": other.admin,
      "retrieve key": keyOf(company, "retrieve"),
      "ingest key": keyOf(company, "ingest"),
      "manage key": keyOf(company, "manage"),
      "manage key of another company": keyOf(other, "manage"),
      // as a row of a later release would be parsed
      "unknown type": JSON.parse('{"type":"robot","id":null,"name":"Robot","role":"admin"}'),
      cli: CLI_ACTOR,
      system: SYSTEM_ACTOR,
    };
  });

  const calls = Object.entries(SERVICE_CALLS).map(([name, [who, call]]): [string, ServiceCall, Callers] => [
    name,
    call,
    who,
  ]);

  it("take the actor, unless permission is checked before", () => {
    const without = serviceMethods().filter(({ takesActor }) => !takesActor);
    const anybody = calls.filter(([, , who]) => who === "anybody").map(([name]) => name);
    expect(without.map(({ name }) => name)).toEqual(anybody);
  });

  it.each(calls)("%s refuses all other roles, and changes nothing for them", async (_name, call, who) => {
    await flushQueryLog();
    const before = await everythingOf(company.scope);
    for (const role of ROLES.filter((each) => !ALLOWED_ROLES[who].includes(each))) {
      const outcome = await call(company.scope, actors[role], company).catch((error: unknown) => error);
      expect(outcome, role).toBeInstanceOf(AppError);
      expect(outcome, role).toMatchObject({ error: "Forbidden" });
    }
    await flushQueryLog();
    expect(await everythingOf(company.scope)).toEqual(before);
  });

  it.each(calls)("%s serves the allowed roles", async (_name, call, who) => {
    for (const role of ROLES.filter((each) => ALLOWED_ROLES[who].includes(each))) {
      const outcome = await call(company.scope, actors[role], company).catch((error: unknown) => error);
      // an earlier call may have deleted the data, but not the permission
      if (outcome instanceof Error) expect(outcome, role).not.toMatchObject({ error: "Forbidden" });
      if (outcome instanceof Error) expect(outcome, role).toBeInstanceOf(AppError);
    }
  });
});
