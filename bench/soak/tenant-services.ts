import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { type Actor, SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { connection } from "../../lib/db/client.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { AppError } from "../../lib/errors.ts";
import { everythingOf, type FilledCompany } from "../../lib/testing/filled-company.ts";
import { SERVICE_CALLS, type ServiceCall } from "../../lib/testing/service-calls.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import type { Random } from "./random.ts";

/** What keeps two companies apart while the services are called: everything, or one of the two alone. */
export const LAYERS = ["both", "tenant scope alone", "row-level security alone"] as const;
/** `neither` shows that the probes would see a leak. */
export type Layer = (typeof LAYERS)[number] | "neither";

export interface ProbeReport {
  probes: number;
  /** What came back, or differed, that should not have. */
  leaks: string[];
}

/** Written by the log's own scope, whatever the scope of the call was. */
const LOG_TABLES = ["query_log", "usage_daily"];
const calls: [string, ServiceCall][] = Object.entries(SERVICE_CALLS);

/** Row-level security of every table off or on again; for a scratch database. */
export async function switchRowSecurity(to: "disable" | "enable"): Promise<void> {
  const { db } = connection();
  const tables = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid
    where c.relnamespace = 'ragstone'::regnamespace group by 1`);
  for (const { name } of tables) {
    await db.execute(sql.raw(`alter table ragstone."${name}" ${to} row level security`));
  }
}

/**
 * Calls every service method as `attacker` with the ids of `victim`, and again with ids that nobody has: nothing of the
 * victim comes back or changes, and the two answers are alike. The layer must be set up by the caller.
 * @param rounds how often each method is called, as one of the attacker's roles each time
 */
export async function probeServices(
  attacker: FilledCompany,
  victim: FilledCompany,
  layer: Layer,
  { rounds, random }: { rounds: number; random: Random },
): Promise<ProbeReport> {
  const scope = scopeOf(attacker, victim, layer);
  const report: ProbeReport = { probes: 0, leaks: [] };
  await flushQueryLog();
  const before = await kept(victim, layer);
  for (let round = 0; round < rounds; round++) {
    for (const [name, call] of calls) {
      // it would end the attacker, who is to go on
      if (name === "deleteCompany" && !isSwapped(layer)) continue;
      // a swapped scope is asked by the right actor, so that the statements are reached
      const actor = isSwapped(layer) ? victim.admin : actorOf(attacker, random);
      const ask = (ids: FilledCompany) => outcomeOf(() => call(scope, actor, ids));
      const foreign = await ask(victim);
      const nobodys = await ask(withNobodysIds(victim));
      report.probes += 2;
      const where = `${name} as ${actor.type === "user" ? actor.role : actor.type}, ${layer}`;
      if (foreign.shown.includes(victim.word)) report.leaks.push(`${where}: shows the other company's word`);
      // what differs only because the first call changed something of the attacker's does not differ again
      if (foreign.kind !== nobodys.kind && (await ask(withNobodysIds(victim))).kind !== (await ask(victim)).kind) {
        report.leaks.push(`${where}: "${foreign.kind}" for a foreign id, "${nobodys.kind}" for one that nobody has`);
      }
    }
  }
  await flushQueryLog();
  const after = await kept(victim, layer);
  for (const table of Object.keys(before)) {
    if (!isDeepStrictEqual(before[table], after[table]))
      report.leaks.push(`${table} of the other company changed, ${layer}`);
  }
  return report;
}

/** Whether the scope names the victim, so that no condition of a statement protects it. */
function isSwapped(layer: Layer): boolean {
  return layer === "row-level security alone" || layer === "neither";
}

function scopeOf({ scope }: FilledCompany, victim: FilledCompany, layer: Layer): TenantScope {
  if (!isSwapped(layer)) return scope;
  // every condition names the other company, and the database still shows this one alone
  return { companyId: victim.scope.companyId, transaction: scope.transaction, snapshot: scope.snapshot };
}

function actorOf({ admin, support, keyId }: FilledCompany, random: Random): Actor {
  return random.pick<Actor>([admin, support, SYSTEM_ACTOR, { type: "api_key", id: keyId, name: "Key" }]);
}

function withNobodysIds(victim: FilledCompany): FilledCompany {
  const ids = [
    "sourceId",
    "fileSourceId",
    "versionId",
    "chunkId",
    "keyId",
    "userId",
    "invitationId",
    "requestId",
    "reportId",
  ];
  return { ...victim, ...Object.fromEntries(ids.map((name) => [name, randomUUID()])), externalId: "paper-0" };
}

interface Outcome {
  /** Everything that the caller is shown, as text. */
  shown: string;
  /** Whether it was answered, else how it was refused, without ids. */
  kind: string;
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    const value = await call();
    return { shown: JSON.stringify(value) ?? "", kind: "answered" };
  } catch (error) {
    // other errors never reach a caller: the boundary says an id instead
    if (!(error instanceof AppError)) return { shown: "", kind: "failed" };
    return { shown: error.message, kind: error.message.replaceAll(/paper-\d+|[0-9a-f-]{36}/g, "…") };
  }
}

async function kept({ scope }: FilledCompany, layer: Layer): Promise<Record<string, string[]>> {
  const everything = await everythingOf(scope);
  if (isSwapped(layer)) for (const table of LOG_TABLES) delete everything[table];
  return everything;
}
