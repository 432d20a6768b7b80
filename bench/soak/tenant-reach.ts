import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { suggestContent } from "../../lib/knowledge/suggestions/suggest.ts";
import { setSubscription } from "../../lib/subscriptions/service.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";
import { idsByName, namedOf } from "./tenant-ids.ts";
import type { Tokens } from "./tenant-keys.ts";
import { type Answer, Sender } from "./tenant-send.ts";
import type { Target } from "./tenant-targets.ts";

/** Bodies that are tried with each id. */
const BODIES_TRIED = 4;
/** For a new installation, for forms of the sign-in with a token of their own, and for the person's password alone. */
const OUT_OF_REACH = ["/setup", "POST /api/auth/[...nextauth]", "changePasswordAction"];
const IS_DELETION = /^(?:DELETE |delete|remove|revoke|withdraw|leave|signOut|changePassword|changeRole)/;
/** Reads come first, and deletions last. */
const ORDER: ((target: Target) => boolean)[] = [
  ({ method, kind }) => method === "GET" && kind !== "action",
  ({ kind, name }) => kind === "api" && !IS_DELETION.test(name),
  ({ name }) => !IS_DELETION.test(name),
  () => true,
];

export interface Reach {
  /** Targets that show the company's own data, which proves that the probes can see data. */
  showing: string[];
  /** Targets that refused every request with the company's own ids, with the last refusal. */
  missed: string[];
  /** The name of the id that each other target accepted. */
  fitting: Map<string, string>;
}

/**
 * Sends requests of an admin, and of a key that may do everything, with the company's own ids to every target. What
 * refuses even these would prove nothing when it refuses the ids of another company. Afterwards the company lacks data.
 */
export async function reachTargets(
  url: string,
  company: FilledCompany,
  { targets, tokens }: { targets: Target[]; tokens: Tokens },
): Promise<Reach> {
  const sender = new Sender(url, company);
  const reach: Reach = { showing: [], missed: [], fitting: new Map() };
  const names = [...idsByName(company).keys(), "companyId"];
  for (const target of inOrder(targets.filter(({ name }) => !OUT_OF_REACH.includes(name)))) {
    await setSubscription(company.scope, SYSTEM_ACTOR, { status: "ACTIVE" });
    let refusal = "";
    const own = await withSuggestion(company, target);
    for await (const { name, answer } of tries(sender, own, { target, names, token: tokens[0] })) {
      if (!answer.accepted) refusal = `${answer.status} ${answer.verdict}`;
      else if (!reach.fitting.has(target.name)) reach.fitting.set(target.name, name);
      if (!answer.text.includes(company.word)) continue;
      reach.showing.push(target.name);
      reach.fitting.set(target.name, name);
      break;
    }
    if (!reach.fitting.has(target.name)) reach.missed.push(`${target.name} (${refusal})`);
  }
  return reach;
}

/** Each suggestion can be decided once, so an action about one gets its own. */
async function withSuggestion(company: FilledCompany, { name }: Target): Promise<FilledCompany> {
  if (!/^\w+SuggestionAction$/.test(name)) return company;
  const suggestion = {
    ...{ sourceId: null, requestId: null, note: "" },
    content: { kind: "qa" as const, question: `${name}?`, answer: company.word, alternatives: [] },
  };
  return { ...company, suggestionId: await suggestContent(company.scope, company.admin, suggestion) };
}

/** Answers to requests with each id, until a request that changes something is accepted. */
async function* tries(
  sender: Sender,
  company: FilledCompany,
  { target, names, token }: { target: Target; names: string[]; token: string },
): AsyncGenerator<{ name: string; answer: Answer }> {
  const isRead = target.kind !== "action" && target.method === "GET";
  // without an id in the path, no id changes what is read
  for (const name of isRead && !target.path.includes("[") ? names.slice(0, 1) : names) {
    for (let body = 0; body < (isRead ? 1 : BODIES_TRIED); body++) {
      const flags = { cookie: false, header: false, param: false };
      const probe = { target, role: "admin" as const, names: flags, token, query: "", body };
      const answer = await sender.send(probe, namedOf(company, name));
      yield { name, answer };
      if (answer.accepted && !isRead) return;
    }
  }
}

function inOrder(targets: Target[]): Target[] {
  const place = (target: Target) => ORDER.findIndex((comes) => comes(target));
  return [...targets].sort((a, b) => place(a) - place(b));
}
