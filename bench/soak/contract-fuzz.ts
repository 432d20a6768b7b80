import type { ApiDocument, Operation } from "./api-document.ts";
import { breachesOf, type SeenAnswer } from "./contract-checks.ts";
import { mutated, validValue } from "./hostile-json.ts";
import type { Random } from "./random.ts";
import { exchange, HANG_MS } from "./raw-answers.ts";
import { rawRequest } from "./raw-requests.ts";

/** A text that only the other company has. No response may contain it. */
export const CANARY = "cobalt-heron-7714";
const RAW_SHARE = 0.15;
const MUTATED_SHARE = 0.35;
const SHOWN_TIMES = 3;

/** Counts of what the fuzzing found. */
export class Findings {
  /** Number of breaches of each kind. */
  readonly breaches: Record<string, number> = {};
  hangs = 0;
  /** Number of responses by status. */
  readonly statuses: Record<number, number> = {};
  readonly #say: (line: string) => void;

  /** @param say prints the first breaches of each kind */
  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Counts one response with its breaches and duration. @param what names the request */
  note(what: string, status: number, breaches: string[], ms: number): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    for (const breach of breaches) this.#count(what, breach);
    if (ms <= HANG_MS) return;
    this.hangs++;
    this.#say(`${what} → took ${Math.round(ms)} ms`);
  }

  get faults(): number {
    return Object.entries(this.statuses).reduce((sum, [status, count]) => sum + (Number(status) >= 500 ? count : 0), 0);
  }

  get total(): number {
    return Object.values(this.breaches).reduce((sum, count) => sum + count, 0);
  }

  #count(what: string, breach: string): void {
    const times = (this.breaches[breach] ?? 0) + 1;
    this.breaches[breach] = times;
    if (times <= SHOWN_TIMES) this.#say(`${what} → ${breach}`);
  }
}

export interface FuzzTarget {
  url: string;
  /** Token of a key without a rate limit. */
  token: string;
  document: ApiDocument;
  findings: Findings;
  random: Random;
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

async function fuzzOperation({ random, url, token, document, findings }: FuzzTarget, broken: boolean): Promise<void> {
  const { method, path, body } = pickOperation(document, random);
  const value = body && validValue(document, body, random);
  const text = body && JSON.stringify(broken ? mutated(value, random) : value);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const started = performance.now();
  const response = await fetch(url + path, { method, headers, body: text ?? null });
  const { status } = response;
  const header = (name: string) => response.headers.get(name);
  const answer: SeenAnswer = { method, path, status, header, body: await response.text() };
  const breaches = breachesOf(answer, document, [CANARY]);
  if (!broken && status >= 400) breaches.push(`${status} to a valid request`);
  findings.note(`${method} ${path} ${text?.slice(0, 200) ?? ""}`, status, breaches, performance.now() - started);
}

/** Picks mostly operations with a body, because more can go wrong there. */
function pickOperation({ operations }: ApiDocument, random: Random): Operation {
  const [first, ...more] = random.chance(0.8) ? operations.filter(({ body }) => body) : operations;
  if (!first) throw new Error("The API document has no operations");
  return random.pick([first, ...more]);
}

async function fuzzRaw({ random, url, token, document, findings }: FuzzTarget): Promise<void> {
  const paths = document.operations.map(({ path }) => path);
  const { host } = new URL(url);
  const request = rawRequest(random, { host, token, paths: ["/v1/nothing", "/v1", ...paths] });
  const { answers, ms } = await exchange(url, request);
  if (answers.length === 0 && request.closes) findings.note(request.name, 0, ["no answer"], ms);
  for (const { status, headers, body } of answers) {
    const method = body === "" ? "HEAD" : "GET";
    const answer = { method, status, header: (name: string) => headers.get(name) ?? null, body };
    findings.note(request.name, status, breachesOf(answer, document, [CANARY]), ms);
  }
}
