import { randomUUID } from "node:crypto";
import { createKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import { setSubscription } from "../../lib/subscriptions/service.ts";
import { everythingOf, type FilledCompany } from "../../lib/testing/filled-company.ts";
import type { Random } from "./random.ts";
import { type Answer, BODIES, type Named, type Probe, Sender } from "./tenant-send.ts";
import type { ProbeReport } from "./tenant-services.ts";
import { queryNames, type Target } from "./tenant-targets.ts";

/**
 * The subscription is renewed after this many probes, because a probe may cancel it and the API then refuses the key.
 */
const RENEW_AFTER = 100;
/** Parallel lanes, so that connections and caches are shared. */
const LANES = 3;
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Repetitions of a difference, which must follow the ids each time. */
const REPEATS = 3;
const UNKNOWN_ERROR = "Something went wrong";

interface RequestReport extends ProbeReport {
  /** Names of the targets that accepted a probe, instead of refusing it as malformed. */
  taken: Set<string>;
}

interface Attack {
  company: FilledCompany;
  victim: FilledCompany;
  targets: Target[];
  /** Tokens of the company's keys, with and without a policy. */
  tokens: [string, ...string[]];
  count: number;
  random: Random;
}

/** Creates keys with and without a policy for a company. One policy names labels of the victim. */
export async function keysOf({ scope }: FilledCompany, victim: FilledCompany): Promise<[string, ...string[]]> {
  const policies: KeyPolicy[] = [
    { audience: [victim.alias] },
    { path: ["Policies"] },
    { answers: false, limit: 3 },
    { audience: ["copilot"] },
  ];
  const make = async (policy: KeyPolicy) => (await createKey(scope, SYSTEM_ACTOR, { name: "Probe", policy })).token;
  const tokens: [string, ...string[]] = [await make({})];
  for (const policy of policies) tokens.push(await make(policy));
  return tokens;
}

/**
 * Sends requests with ids of `victim` in path, query, body, headers and cookie, and each again with an unused id. No
 * response may contain a word or an id of the victim, and both responses must be equal.
 */
export async function probeRequests(url: string, attack: Attack): Promise<RequestReport> {
  const { company, victim, count } = attack;
  const report: RequestReport = { probes: 0, leaks: [], taken: new Set() };
  const sender = new Sender(url, company);
  const ids = idsOf(victim);
  const hidden = await neverSent(victim, company, ids);
  const draw = drawing(attack, queryNames());
  const lane = async () => {
    for (let round = 0; report.probes < count; round++) {
      if (round % RENEW_AFTER === 0) await setSubscription(company.scope, SYSTEM_ACTOR, { status: "ACTIVE" });
      await probe(draw(), attack.random.pick(ids));
    }
  };
  const probe = async (each: Probe, id: string) => {
    const theirs: Named = { id, companyId: victim.scope.companyId, alias: victim.alias };
    const foreign = await sender.send(each, theirs);
    const nobodys = await sender.send(each, ofNobody());
    report.probes += foreign.requests + nobodys.requests;
    if (foreign.taken) report.taken.add(each.target.name);
    const where = `${each.target.kind} ${each.target.name} as ${each.role}`;
    const seen = [victim.word, ...(foreign.text.match(ID) ?? []).filter((found) => hidden.has(found))];
    for (const secret of seen) {
      if (foreign.text.includes(secret)) report.leaks.push(`${where}: shows ${around(foreign.text, secret)}`);
    }
    if (foreign.status >= 500 || foreign.verdict.startsWith(UNKNOWN_ERROR))
      report.leaks.push(`${where}: failed with ${saidBy(foreign)}`);
    if (saidBy(foreign) === saidBy(nobodys)) return;
    // a difference by another lane or by the order does not follow the ids; the order is now the other one
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const [again, repeated] = [await sender.send(each, ofNobody()), await sender.send(each, theirs)];
      report.probes += again.requests + repeated.requests;
      if (saidBy(again) !== saidBy(nobodys) || saidBy(repeated) !== saidBy(foreign)) return;
    }
    report.leaks.push(`${where}: "${saidBy(foreign)}" for a foreign id, "${saidBy(nobodys)}" for one that nobody has`);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return report;
}

/** The pages and downloads that show a company its own data, which proves that the probes can see data. */
export async function showingOwn(url: string, company: FilledCompany, targets: Target[]): Promise<string[]> {
  const showing: string[] = [];
  const sender = new Sender(url, company);
  const names = { cookie: false, header: false, param: false };
  for (const target of targets.filter(({ kind, method }) => kind !== "action" && method === "GET")) {
    const each: Probe = { target, role: "admin", names, token: "", query: "q", body: 0 };
    for (const id of target.path.includes("[") ? idsOf(company) : [company.sourceId]) {
      const { text } = await sender.send(each, { id, companyId: company.scope.companyId, alias: company.alias });
      if (!text.includes(company.word)) continue;
      showing.push(target.name);
      break;
    }
  }
  return showing;
}

/** Draws every target in turn and everything else at random. */
function drawing({ targets, tokens, random }: Attack, queries: string[]): () => Probe {
  const [first] = targets;
  if (!first) throw new Error("no target responds");
  let next = random.between(0, targets.length - 1);
  return () => ({
    target: targets[next++ % targets.length] ?? first,
    role: random.pick(["admin", "admin", "support", "nobody"]),
    names: { cookie: random.chance(0.3), header: random.chance(0.2), param: random.chance(0.3) },
    token: random.pick(tokens),
    query: queries[random.between(0, queries.length - 1)] ?? "q",
    body: random.between(0, BODIES - 1),
  });
}

function saidBy({ status, verdict }: Answer): string {
  return `${status} ${verdict}`;
}

function ofNobody(): Named {
  return { id: randomUUID(), companyId: randomUUID(), alias: "nobodys" };
}

function idsOf(of: FilledCompany): [string, ...string[]] {
  const { scope, sourceId, fileSourceId, versionId, chunkId, keyId, userId, invitationId, requestId, reportId } = of;
  return [
    ...[scope.companyId, sourceId, fileSourceId, versionId, chunkId],
    ...[keyId, userId, invitationId, requestId, reportId],
  ] as const;
}

/** Ids of the victim that no probe sent and that the caller's rows, such as its log, do not contain. */
async function neverSent(victim: FilledCompany, company: FilledCompany, sent: string[]): Promise<Set<string>> {
  const known = new Set([...sent, ...(await idsIn(company))]);
  return new Set([...(await idsIn(victim))].filter((id) => !known.has(id)));
}

async function idsIn({ scope }: FilledCompany): Promise<Set<string>> {
  const rows = Object.values(await everythingOf(scope)).flat();
  return new Set(rows.join("\n").match(ID));
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + secret.length + 40));
}
