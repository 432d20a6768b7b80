import { answerFault } from "./answer-fault.ts";
import type { Tenant } from "./product.ts";
import { waitFor } from "./wait.ts";

const REQUESTS_PER_SECOND = 10;
/** The product counts as recovered after this time without an error. */
const CALM_MS = 3_000;
const CALM_WITHIN_MS = 60_000;

/** The response to one request during an outage. */
interface OutageAnswer {
  path: string;
  /** Time of the request. */
  at: number;
  ms: number;
  /** 0 when the connection broke. */
  status: number;
  /** What is wrong with the answer or the refusal. */
  fault: string | null;
}

/** Sends requests to the API, a page and a download in turn, at a steady rate that does not wait for responses. */
export class OutageLoad {
  readonly answers: OutageAnswer[] = [];
  readonly #url: string;
  readonly #paths: [string, RequestInit][];
  readonly #pending = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, { token, cookie, scope }: Tenant) {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const question = JSON.stringify({ queryText: "When does the museum open?" });
    this.#url = url;
    this.#paths = [
      ["/v1/api/status", { headers }],
      ["/v1/api/rag/retrieve", { method: "POST", headers, body: question }],
      ["/knowledge", { headers: { Cookie: cookie } }],
      [`/usage/requests/csv?company=${scope.companyId}`, { headers: { Cookie: cookie } }],
    ];
  }

  start(): void {
    let sent = 0;
    this.#timer = setInterval(() => {
      const [path, init] = this.#paths[sent++ % this.#paths.length] ?? ["/", {}];
      const asked = this.#ask(path, init).finally(() => this.#pending.delete(asked));
      this.#pending.add(asked);
    }, 1_000 / REQUESTS_PER_SECOND);
  }

  /** @throws {Error} when errors do not end */
  async untilCalm(): Promise<void> {
    const since = performance.now();
    const isCalm = () => {
      const failed = this.answers.findLast(({ status }) => status !== 200);
      return performance.now() - Math.max(since, failed ? failed.at + failed.ms : 0) > CALM_MS;
    };
    await waitFor("answers without errors", isCalm, { limitMs: CALM_WITHIN_MS, everyMs: 200 });
  }

  async stop(): Promise<OutageAnswer[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#pending);
    return this.answers;
  }

  async #ask(path: string, init: RequestInit): Promise<void> {
    const at = performance.now();
    const timeout = AbortSignal.timeout(30_000);
    const answer = await fetch(this.#url + path, { ...init, redirect: "manual", signal: timeout })
      .then(async (response) => {
        const body = await response.text();
        return { status: response.status, fault: answerFault(response, path.endsWith("/retrieve") ? body : null) };
      })
      .catch(() => ({ status: 0, fault: "lost connection" }));
    this.answers.push({ path, at, ms: performance.now() - at, ...answer });
  }
}
