import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { type Actor, SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { connection } from "../../lib/db/client.ts";
import { KEY_SCOPES, type KeyScope } from "../../lib/db/column-values.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { AppError } from "../../lib/errors.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import type { ServiceCall } from "../../lib/testing/service-call.ts";
import { SERVICE_CALLS } from "../../lib/testing/service-calls.ts";
import { flushQueryLog } from "../../lib/usage/record.ts";
import { withUnusedIds } from "./tenant-ids.ts";
import { stateOf } from "./tenant-state.ts";

/** The layers that keep two companies apart during the calls: both, or only one of them. */
export const LAYERS = ["both", "tenant scope alone", "row-level security alone"] as const;
/** `neither` proves that the probes would see a leak. */
export type Layer = (typeof LAYERS)[number] | "neither";

export interface ProbeReport {
  probes: number;
  /** Data of the victim in responses, and differences between responses. */
  leaks: string[];
}

type Caller = (attacker: FilledCompany, victim: FilledCompany) => Actor;

/** Who calls: members, Ragstone itself, and keys of each scope and with each kind of policy. */
const CALLERS: Caller[] = [
  ({ admin }) => admin,
  ({ support }) => support,
  () => SYSTEM_ACTOR,
  (attacker) => keyOf(attacker, ["retrieve"]),
  (attacker) => keyOf(attacker, ["ingest"]),
  (attacker) => keyOf(attacker, ["manage"]),
  (attacker, { alias }) => keyOf(attacker, KEY_SCOPES, { audience: [alias] }),
  (attacker) => keyOf(attacker, KEY_SCOPES, { path: ["Policies"] }),
  (attacker) => keyOf(attacker, KEY_SCOPES, { answers: false, limit: 3 }),
];
/** In so many rounds, everyone calls every method. */
export const ALL_ROUNDS = CALLERS.length;

/** Written with the log's own tenant scope, whatever the scope of the call. */
const LOG_TABLES = ["query_log", "usage_daily"];
const calls = Object.entries(SERVICE_CALLS).map(([name, [, call]]): [string, ServiceCall] => [name, call]);

/** Switches row-level security of every table off or on. For scratch databases only. */
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
 * Calls every service method as `attacker` with ids of `victim`, and again with unused ids. Nothing of the victim may be
 * returned or changed, and both responses must be equal. The caller must set up the layer.
 * @param rounds number of calls per method, each by another caller
 */
export async function probeServices(
  attacker: FilledCompany,
  victim: FilledCompany,
  layer: Layer,
  rounds: number,
): Promise<ProbeReport> {
  const scope = scopeOf(attacker, victim, layer);
  const report: ProbeReport = { probes: 0, leaks: [] };
  await flushQueryLog();
  const before = await kept(victim, layer);
  for (const { name, call, caller } of callsByRound(rounds)) {
    // it would delete the attacker, which is still needed
    if (name === "deleteCompany" && !isSwapped(layer)) continue;
    // with a swapped scope, the actor is valid for the victim, so that the statements are reached
    const actor = isSwapped(layer) ? victim.admin : caller(attacker, victim);
    const ask = (ids: FilledCompany) => outcomeOf(() => call(scope, actor, ids));
    const foreign = await ask(victim);
    const nobodys = await ask(withUnusedIds(victim));
    report.probes += 2;
    const where = `${name} as ${nameOf(actor)}, ${layer}`;
    if (foreign.shown.includes(victim.word)) report.leaks.push(`${where}: shows the other company's word`);
    if (foreign.shown.includes(victim.relabelId)) report.leaks.push(`${where}: shows the other company's change`);
    // a difference that the first call itself caused does not repeat
    if (foreign.kind !== nobodys.kind && (await ask(withUnusedIds(victim))).kind !== (await ask(victim)).kind) {
      report.leaks.push(`${where}: "${foreign.kind}" for a foreign id, "${nobodys.kind}" for an unused id`);
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

/** Whether the scope names the victim, so that conditions in statements do not protect it. */
function isSwapped(layer: Layer): boolean {
  return layer === "row-level security alone" || layer === "neither";
}

function scopeOf({ scope }: FilledCompany, victim: FilledCompany, layer: Layer): TenantScope {
  if (!isSwapped(layer)) return scope;
  // every condition names the victim, but the database still shows only the attacker's rows
  return { ...scope, companyId: victim.scope.companyId };
}

/** Every method once in each round, by another caller than in the rounds before: first by an admin, who reaches most. */
export function callsByRound(rounds: number): { name: string; call: ServiceCall; caller: Caller }[] {
  return CALLERS.slice(0, rounds).flatMap((caller) => calls.map(([name, call]) => ({ name, call, caller })));
}

function keyOf({ keyId, scope }: FilledCompany, scopes: readonly KeyScope[], policy: KeyPolicy = {}): Actor {
  return { type: "api_key", id: keyId, name: "Key", companyId: scope.companyId, scopes, policy };
}

function nameOf(actor: Actor): string {
  if (actor.type === "user") return actor.role;
  if (actor.type !== "api_key") return actor.type;
  return `key of ${actor.scopes.join(" and ")} with ${JSON.stringify(actor.policy)}`;
}

interface Outcome {
  /** Everything that the caller sees, as text. */
  shown: string;
  /** Whether the call succeeded, otherwise its error without ids. */
  kind: string;
}

async function outcomeOf(call: () => Promise<unknown>): Promise<Outcome> {
  try {
    const value = await call();
    return { shown: JSON.stringify(value) ?? "", kind: "answered" };
  } catch (error) {
    // other errors never reach a caller, who only gets a request id
    if (!(error instanceof AppError)) return { shown: "", kind: "failed" };
    return { shown: error.message, kind: error.message.replaceAll(/paper-\d+|[0-9a-f-]{36}/g, "…") };
  }
}

async function kept(company: FilledCompany, layer: Layer): Promise<Record<string, string[]>> {
  const everything = await stateOf(company);
  if (isSwapped(layer)) for (const table of LOG_TABLES) delete everything[table];
  return everything;
}
