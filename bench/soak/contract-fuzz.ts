import type { ApiDocument } from "./api-document.ts";
import type { Operation } from "./api-operation.ts";
import { CANARY } from "./canary.ts";
import { breachesOf, type SeenAnswer } from "./contract-checks.ts";
import type { Findings } from "./findings.ts";
import { fuzzRequest, validPath } from "./fuzz-request.ts";
import type { KnownValues } from "./known-values.ts";
import type { Random } from "./random.ts";
import { exchange } from "./raw-answers.ts";
import { rawRequest } from "./raw-requests.ts";

const RAW_SHARE = 0.15;
const MUTATED_SHARE = 0.35;
/** Share of retrievals, which have the most fields and whose memory is measured. */
const RETRIEVE_SHARE = 0.3;

/** Refusals that depend on the state of a source, so that a valid request can get them. */
const STATE_REFUSALS = [404, 409, 412];
/** Operations with rules that a JSON schema cannot express, and statuses of their refusals. */
const MORE_RULES = new Map<string, number[]>([
  // either sourceIds or prefix
  ["deleteSources", [422]],
  // filters form a tree of conditions
  ["openAiSearch", [400]],
  // existing sources that would become visible to more audiences, when no other source is accepted
  ["putSources", [422]],
  // a question in another form than CSV, and a body without an identifier
  ["putFile", [422]],
]);

/** The API, and what requests to it are made from. */
export interface FuzzTarget {
  url: string;
  /** Token of a key of the company whose knowledge stays the same, with the scope `retrieve` alone. */
  token: string;
  /** Token of a key of the same company whose policy allows the audience `copilot` alone. */
  copilotToken: string;
  /** Token of a key with all scopes, of a company whose sources the requests change and delete. */
  managerToken: string;
  document: ApiDocument;
  /** What requests to the changing company name. */
  known: KnownValues;
  /** What requests to the first company name. */
  knownToAsked: KnownValues;
  findings: Findings;
  random: Random;
  /** Returns each operation in turn, so that none is left out. */
  nextOperation(): Operation;
}

/** Runs the work `count` times, `clients` at a time. */
export async function repeatConcurrently(
  count: number,
  clients: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** Sends one request (half of them valid, a third mutated, the rest raw bytes) and checks the response. */
export async function fuzzApi(target: FuzzTarget): Promise<void> {
  const share = target.random.next();
  if (share < RAW_SHARE) return fuzzRaw(target);
  return fuzzOperation(target, share < RAW_SHARE + MUTATED_SHARE);
}

/** The token for an operation: only questions go to the company whose knowledge must stay the same. */
export function tokenFor({ token, managerToken }: FuzzTarget, { scope, path }: Operation): string {
  return scope === "retrieve" && !path.includes("{") ? token : managerToken;
}

async function fuzzOperation(target: FuzzTarget, broken: boolean): Promise<void> {
  const { url, document, findings, known } = target;
  const operation = pickOperation(target);
  const { path, init, what } = fuzzRequest(target, operation, broken);
  const started = performance.now();
  const headers = { ...init.headers, Authorization: `Bearer ${tokenFor(target, operation)}` };
  const response = await fetch(url + path, { ...init, headers });
  const { status } = response;
  const body = await response.text();
  const header = (name: string) => response.headers.get(name);
  // a hostile value may lead to a path that no operation has
  const isElsewhere = broken && status === 404 && operation.path.includes("{");
  const answer: SeenAnswer = { method: operation.method, status, header, body };
  const breaches = breachesOf(isElsewhere ? answer : { ...answer, operation }, document, [CANARY]);
  if (!broken && status >= 400 && !mayRefuse(operation, status)) breaches.push(`${status} to a valid request`);
  if (response.ok) findings.served.add(operation.id);
  if (response.ok && operation.scope !== "retrieve") known.keepIds(parse(body));
  findings.note(what, status, breaches, performance.now() - started);
}

function mayRefuse({ id }: Operation, status: number): boolean {
  return [...STATE_REFUSALS, ...(MORE_RULES.get(id) ?? [])].includes(status);
}

function pickOperation({ document, random, nextOperation }: FuzzTarget): Operation {
  const retrieve = document.operations.find(({ id }) => id === "retrieve");
  return retrieve && random.chance(RETRIEVE_SHARE) ? retrieve : nextOperation();
}

async function fuzzRaw(target: FuzzTarget): Promise<void> {
  const { random, url, managerToken, document, findings } = target;
  const { host } = new URL(url);
  const filled = document.operations.map((operation) => ({ ...operation, path: validPath(target, operation) }));
  const [first, ...others] = filled.filter(({ bodies }) => bodies.size > 0);
  if (!first) throw new Error("The API document has no operation with a body");
  const paths = filled.map(({ path }) => path);
  const withBody = random.pick([first, ...others]);
  const request = rawRequest(random, { host, token: managerToken, paths: ["/v1/nothing", "/v1", ...paths], withBody });
  const { answers, ms } = await exchange(url, request);
  if (answers.length === 0 && !request.isOpen) findings.note(request.name, 0, ["no answer"], ms);
  for (const { status, headers, body } of answers) {
    const answer = { method: request.method, status, header: (name: string) => headers.get(name) ?? null, body };
    findings.note(request.name, status, breachesOf(answer, document, [CANARY]), ms);
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
