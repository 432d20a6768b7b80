import { setTimeout } from "node:timers/promises";
import { retrieveResponse } from "../../lib/retrieval/schema.ts";
import { type ProviderServer, startProviderServer } from "../../lib/testing/provider-server.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { addTenant, withProduct } from "./product.ts";
import { type ProviderFault, PURPOSES, type Purpose, providerFaults } from "./provider-faults.ts";

const RESULTS_WITHIN_MS = 1_200;
const STALLED_ANSWER_MS_MAX = 15_000;
const RECOVERED_WITHIN_MS = 2_000;
const RECOVERY_MS_MAX = 60_000;
const FAILING_CALLS_MAX = 20;
const CALLS_PER_REQUEST = 2;

const SECRET = "sk-canary-5f1e";
const CANARY = "heliotrope";
const DOCUMENTS = {
  refunds: `Refunds are paid within fourteen days. The ${CANARY} is ours.`,
  router: "The router blinks red while it starts.",
  invoices: "Invoices come by post on the first of the month.",
};

/** The outcome of one request. */
interface Seen {
  purpose: Purpose;
  fault: ProviderFault;
  ms: number;
  status: number;
  results: number;
  /** Value of the header. */
  degraded: string[];
  /** Number of calls to the provider. */
  calls: number;
}

interface Client {
  provider: ProviderServer;
  ask(purpose: Purpose): Promise<Pick<Seen, "ms" | "status" | "results" | "degraded">>;
  callsOf(purpose: Purpose): number;
}

/** Tries every provider fault for every purpose, as a caller of the API. */
export const providers: Machine = {
  about:
    "tries every fault of embedding, rerank and answer providers: results within 1.2 s, X-Ragstone-Degraded correct",
  async run(run) {
    const provider = await startProviderServer({ dimensions: 256 });
    let output = "";
    const variables = {
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: SECRET,
      EMBEDDING_DIMENSIONS: "256",
      RERANK_BASE_URL: provider.url,
      RERANK_API_KEY: SECRET,
      LOG_LEVEL: "debug",
    };
    const onOutput = (text: string) => {
      output += text;
    };
    try {
      const measured = await withProduct({ variables, onOutput }, async (product) => {
        const { token } = await addTenant(product, "Providers", DOCUMENTS);
        return measureAll(createClient(provider, product.url, token), run);
      });
      const told = output.split("\n").filter((line) => line.includes(SECRET) || line.includes(CANARY)).length;
      return [...measured, row("no secret and no question in the log", `${told} lines`, told === 0)];
    } finally {
      await provider.close();
    }
  },
};

async function measureAll(client: Client, { short, say }: MachineRun): Promise<Measured[]> {
  const purposes: readonly Purpose[] = ["embedding", "rerank", "answer"];
  // the first failed answer loads the fallback model
  client.provider.failAt(PURPOSES.answer.path, { kind: "garbage" });
  await client.ask("answer");
  client.provider.fail(null);
  const faults = providerFaults.filter((_, index) => !short || index % 6 === 0);
  const seen: Seen[] = [];
  const recoveries: number[] = [];
  for (const purpose of purposes) {
    for (const fault of faults) {
      seen.push(await tryFault(client, purpose, fault));
      recoveries.push(await untilRecovered(client, purpose));
    }
    say(`${purpose}: ${faults.length} faults`);
  }
  const storms = [];
  for (const purpose of purposes) storms.push(await storm(client, purpose));
  return [...rowsOf(seen, say), ...stormRows(storms, recoveries)];
}

async function tryFault(client: Client, purpose: Purpose, fault: ProviderFault): Promise<Seen> {
  const { provider } = client;
  const before = client.callsOf(purpose);
  if (fault.fault === "refused") await provider.close();
  else provider.failAt(PURPOSES[purpose].path, fault.fault);
  const answer = await client.ask(purpose);
  if (fault.fault === "refused") await provider.reopen();
  provider.fail(null);
  return { purpose, fault, ...answer, calls: client.callsOf(purpose) - before };
}

/**
 * @returns milliseconds until the first of three successful requests in a row
 * @throws {Error} when the product does not recover
 */
async function untilRecovered(client: Client, purpose: Purpose): Promise<number> {
  const began = performance.now();
  let wellSince: number | null = null;
  for (let good = 0; good < 3; ) {
    const { degraded } = await client.ask(purpose);
    if (degraded.length === 0) {
      wellSince ??= performance.now();
      good++;
      continue;
    }
    good = 0;
    wellSince = null;
    if (performance.now() - began > RECOVERY_MS_MAX) {
      throw new Error(
        `The ${purpose} provider is back, but the product did not recover in ${RECOVERY_MS_MAX / 1_000} s.`,
      );
    }
    await setTimeout(200);
  }
  return (wellSince ?? began) - began;
}

/** Sends steady requests while the provider responds only with 500. */
async function storm(client: Client, purpose: Purpose) {
  client.provider.failAt(PURPOSES[purpose].path, { kind: "status", status: 500 });
  const before = client.callsOf(purpose);
  let untilOpen = 0;
  for (let requests = 0; requests < 40; requests++) {
    const calls = client.callsOf(purpose);
    await client.ask(purpose);
    if (client.callsOf(purpose) > calls && requests < 25) untilOpen = client.callsOf(purpose) - before;
  }
  client.provider.fail(null);
  return { purpose, untilOpen, recoveryMs: await untilRecovered(client, purpose) };
}

function rowsOf(seen: Seen[], say: (line: string) => void): Measured[] {
  const failures = {
    "status 200 with results": seen.filter(({ status, results }) => status !== 200 || results === 0),
    "X-Ragstone-Degraded names what is missing": seen.filter((each) => !isReported(each)),
    [`at most ${CALLS_PER_REQUEST} provider calls per request`]: seen.filter(({ calls }) => calls > CALLS_PER_REQUEST),
  };
  const isStalled = ({ purpose, fault }: Seen) => purpose === "answer" && fault.silent === true;
  const inTime = seen.filter((each) => !isStalled(each));
  const late = inTime.filter(({ ms }) => ms >= RESULTS_WITHIN_MS);
  const stalled = seen.filter(isStalled).map(({ ms }) => ms);
  for (const { purpose, fault, status, degraded, ms, calls } of new Set([...Object.values(failures).flat(), ...late])) {
    say(`${purpose}, ${fault.name}: ${status} in ${Math.round(ms)} ms, without ${degraded}, ${calls} calls`);
  }
  const longest = Math.max(0, ...inTime.map(({ ms }) => ms));
  return [
    ...Object.entries(failures).map(([promise, broken]) =>
      row(promise, `${seen.length - broken.length} of ${seen.length}`, broken.length === 0),
    ),
    row(
      `results within ${RESULTS_WITHIN_MS} ms, for ${inTime.length} faults`,
      `${Math.round(longest)} ms max, median ${Math.round(median(inTime.map(({ ms }) => ms)))} ms`,
      late.length === 0,
    ),
    row(
      `a stalled answer ends within ${STALLED_ANSWER_MS_MAX / 1_000} s`,
      stalled.length === 0 ? "not tested" : `${Math.round(Math.max(...stalled))} ms max`,
      stalled.every((ms) => ms < STALLED_ANSWER_MS_MAX),
    ),
  ];
}

function stormRows(storms: Awaited<ReturnType<typeof storm>>[], recoveries: number[]): Measured[] {
  const spent = Math.max(...storms.map(({ untilOpen }) => untilOpen));
  const recovery = Math.max(...recoveries, ...storms.map(({ recoveryMs }) => recoveryMs));
  return [
    row(
      `a failing provider is not called any more after ${FAILING_CALLS_MAX} calls`,
      `${spent} max`,
      spent <= FAILING_CALLS_MAX,
    ),
    row(
      `recovered within ${RECOVERED_WITHIN_MS / 1_000} s after the provider`,
      `${Math.round(recovery)} ms max`,
      recovery <= RECOVERED_WITHIN_MS,
    ),
  ];
}

/** Whether the header names exactly what was missing. When nothing listens, more than one purpose may fail. */
function isReported({ purpose, fault, degraded }: Seen): boolean {
  const name = PURPOSES[purpose].degraded;
  if (!fault.harms.includes(purpose)) return degraded.length === 0;
  return fault.fault === "refused" ? degraded.includes(name) : degraded.join() === name;
}

function createClient(provider: ProviderServer, url: string, token: string): Client {
  let asked = 0;
  return {
    provider,
    callsOf: (purpose) => provider.calls.filter(({ path }) => path === PURPOSES[purpose].path).length,
    async ask(purpose) {
      const body = {
        // a new question each time, because known vectors are cached
        queryText: `When are refunds paid by the ${CANARY}, please, number ${asked++}?`,
        returnMode: purpose === "answer" ? "ai_generated_answer" : "chunks_only",
        useRerank: purpose === "rerank",
      };
      const started = performance.now();
      const response = await fetch(`${url}/v1/api/rag/retrieve`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      const given = retrieveResponse.safeParse(await response.json());
      const ms = performance.now() - started;
      const results = given.data?.results.length ?? 0;
      const degraded = (response.headers.get("x-ragstone-degraded") ?? "").split(", ").filter(Boolean);
      return { ms, status: response.status, results, degraded };
    },
  };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}
