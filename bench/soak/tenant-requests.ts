import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { setSubscription } from "../../lib/subscriptions/service.ts";
import { everythingOf, type FilledCompany } from "../../lib/testing/filled-company.ts";
import type { Random } from "./random.ts";
import { BODIES } from "./tenant-bodies.ts";
import { idsByName, namedOf, unknownCompanyLike } from "./tenant-ids.ts";
import type { Tokens } from "./tenant-keys.ts";
import { type Answer, type Probe, Sender } from "./tenant-send.ts";
import type { ProbeReport } from "./tenant-services.ts";
import { queryNames, type Target } from "./tenant-targets.ts";

/**
 * The subscription is renewed after this many probes, because a probe may cancel it and the API then refuses the key.
 */
const RENEW_AFTER = 100;
/** Parallel lanes, so that connections and caches are shared. */
const LANES = 3;
/** With dashes, or without them as in `file-…`. A hash is longer. */
const ID = /(?<![0-9a-f])[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}(?![0-9a-f])/g;
/** Repetitions of a difference, which must follow the ids each time. */
const REPEATS = 3;
const UNKNOWN_ERROR = "Something went wrong";

interface Attack {
  company: FilledCompany;
  victim: FilledCompany;
  targets: Target[];
  tokens: Tokens;
  /** The name of the id that each target takes. */
  fitting: Map<string, string>;
  count: number;
  random: Random;
}

/**
 * Sends requests with ids of `victim` in path, query, body, headers and cookie, and each again with an unused id. No
 * response may contain a word or an id of the victim, and both responses must be equal.
 */
export async function probeRequests(url: string, attack: Attack): Promise<ProbeReport> {
  const { company, victim, count } = attack;
  const report: ProbeReport = { probes: 0, leaks: [] };
  const sender = new Sender(url, company);
  const nobody = unknownCompanyLike(victim);
  const hidden = await neverSent(victim, company);
  const draw = drawing(attack, queryNames());
  const lane = async () => {
    for (let round = 0; report.probes < count; round++) {
      if (round % RENEW_AFTER === 0) await setSubscription(company.scope, SYSTEM_ACTOR, { status: "ACTIVE" });
      await probe(draw());
    }
  };
  const probe = async ({ idName, ...each }: Drawn) => {
    const theirs = namedOf(victim, idName);
    const unused = namedOf(nobody, idName);
    const foreign = await sender.send(each, theirs);
    const nobodys = await sender.send(each, unused);
    report.probes += foreign.requests + nobodys.requests;
    const where = `${each.target.kind} ${each.target.name} with ${idName} as ${each.role}`;
    const seen = [victim.word, ...(foreign.text.match(ID) ?? []).filter((found) => hidden.has(undashed(found)))];
    for (const secret of seen) {
      if (foreign.text.includes(secret)) report.leaks.push(`${where}: shows ${around(foreign.text, secret)}`);
    }
    if (foreign.status >= 500 || foreign.verdict.startsWith(UNKNOWN_ERROR))
      report.leaks.push(`${where}: failed with ${saidBy(foreign)}`);
    if (saidBy(foreign) === saidBy(nobodys)) return;
    // a difference by another lane or by the order does not follow the ids; the order is now the other one
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const [again, repeated] = [await sender.send(each, unused), await sender.send(each, theirs)];
      report.probes += again.requests + repeated.requests;
      if (saidBy(again) !== saidBy(nobodys) || saidBy(repeated) !== saidBy(foreign)) return;
    }
    report.leaks.push(`${where}: "${saidBy(foreign)}" for a foreign id, "${saidBy(nobodys)}" for one that nobody has`);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return report;
}

interface Drawn extends Probe {
  /** Which id of a company the request has. */
  idName: string;
}

/** Draws every target in turn and everything else at random. */
function drawing({ victim, targets, tokens, fitting, random }: Attack, pageQueries: string[]): () => Drawn {
  const [first] = targets;
  if (!first) throw new Error("no target responds");
  const [everything] = tokens;
  const idNames = ["companyId", ...idsByName(victim).keys()] as const;
  let next = random.between(0, targets.length - 1);
  return () => {
    const target = targets[next++ % targets.length] ?? first;
    const queries = target.operation?.queries ?? pageQueries;
    return {
      target,
      idName: (random.chance(0.5) && fitting.get(target.name)) || random.pick(idNames),
      role: random.pick(["admin", "admin", "support", "nobody"]),
      names: { cookie: random.chance(0.3), header: random.chance(0.2), param: random.chance(0.3) },
      token: random.chance(0.5) ? everything : random.pick(tokens),
      query: queries[random.between(0, queries.length - 1)] ?? "",
      body: random.between(0, BODIES - 1),
    };
  };
}

function saidBy({ status, verdict }: Answer): string {
  return `${status} ${verdict}`;
}

/** Ids of the victim that no probe sent and that the caller's rows, such as its log, do not contain. */
async function neverSent(victim: FilledCompany, company: FilledCompany): Promise<Set<string>> {
  const sent = [victim.scope.companyId, ...idsByName(victim).values()];
  const known = new Set([...sent.map(undashed), ...(await idsIn(company))]);
  return new Set([...(await idsIn(victim))].filter((id) => !known.has(id)));
}

async function idsIn({ scope }: FilledCompany): Promise<Set<string>> {
  const rows = Object.values(await everythingOf(scope)).flat();
  return new Set(rows.join("\n").match(ID)?.map(undashed));
}

function undashed(id: string): string {
  return id.replaceAll("-", "");
}

function around(text: string, secret: string): string {
  const at = text.indexOf(secret);
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + secret.length + 40));
}
