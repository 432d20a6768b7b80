import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { documents, questions } from "../corpus.ts";
import { percentiles } from "../measure.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

const CLIENTS = 100;
const REFUSED_WITHIN_MS = 15_000;
/** Connections that are still open after this time are counted as never closed. */
const WAIT_MAX_MS = 30_000;
const BYTE_EVERY_MS = 1_000;
const RATIO_MAX = 1.2;
const SOURCES = 100;
const ROUNDS = { short: 1, full: 4 };
const CALM_MS = 15_000;
const QUESTION_EVERY_MS = 40;

/** The start of each kind of slow request; single bytes follow. */
const STARTS: readonly ((host: string, token: string) => string)[] = [
  (host, token) => `${head(host, token)}Content-Length: 50000\r\n\r\n{`,
  (host, token) => `${head(host, token)}Transfer-Encoding: chunked\r\n\r\nffff\r\n{`,
  (host, token) => `${head(host, token)}X-Slow: `,
  (host) =>
    `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: ${host}\r\n` +
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 50000\r\n\r\ncsrfToken=",
];

function head(host: string, token: string): string {
  return `POST /v1/api/rag/retrieve HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
}

/** Many clients send one byte a second while another client asks questions. */
export const slowClients: Machine = {
  about: `${CLIENTS} clients send a byte a second: each is refused within 15 s, and questions do not become slower`,
  run: (run) =>
    withProduct({}, async (product) => {
      const texts = documents(SOURCES, run.seed).map(({ sourceId, content }) => [sourceId, content]);
      const tenant = await addTenant(product, "Slow", Object.fromEntries(texts));
      return measureAll(product, tenant, run);
    }),
};

async function measureAll(product: Product, tenant: Tenant, { random, short, say }: MachineRun): Promise<Measured[]> {
  const asked = questions(200, random.between(1, 1_000_000));
  const [calm, beside, closings]: [number[], number[], Closing[]] = [[], [], []];
  for (let round = 0; round < (short ? ROUNDS.short : ROUNDS.full); round++) {
    calm.push(...(await askUntil(product, tenant, asked, setTimeout(CALM_MS))));
    const attack = Promise.all(Array.from({ length: CLIENTS }, (_, index) => sendSlowly(product.url, tenant, index)));
    beside.push(...(await askUntil(product, tenant, asked, attack)));
    closings.push(...(await attack));
    say(`round ${round + 1}`);
  }
  const [before, during] = [percentiles(calm), percentiles(beside)];
  const ratio = during.p95 / before.p95;
  const longest = Math.max(...closings.map(({ ms }) => ms));
  const refused = closings.filter(({ status }) => status === 408).length;
  return [
    {
      promise: `each of ${CLIENTS} slow clients is refused with 408`,
      measured: `${refused} of ${closings.length}`,
      kept: refused === closings.length,
    },
    {
      promise: `within ${REFUSED_WITHIN_MS / 1_000} s`,
      measured: `${(longest / 1_000).toFixed(1)} s max`,
      kept: longest <= REFUSED_WITHIN_MS,
    },
    {
      promise: `p95 of questions beside them within ${RATIO_MAX} times normal`,
      measured: `${ratio.toFixed(2)}: ${before.p95} → ${during.p95} ms of ${beside.length}`,
      kept: ratio <= RATIO_MAX,
    },
  ];
}

/** @returns milliseconds of each question */
async function askUntil(
  { url }: Product,
  { token }: Tenant,
  asked: string[],
  end: Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let ended = false;
  void end.finally(() => {
    ended = true;
  });
  while (!ended) {
    const started = performance.now();
    const response = await fetch(`${url}/v1/api/rag/retrieve`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ queryText: asked[times.length % asked.length] }),
    });
    await response.arrayBuffer();
    times.push(performance.now() - started);
    await setTimeout(QUESTION_EVERY_MS);
  }
  return times;
}

interface Closing {
  /** Milliseconds until the server closed the connection. */
  ms: number;
  /** 0 when it was closed without a response. */
  status: number;
}

async function sendSlowly(url: string, { token }: Tenant, index: number): Promise<Closing> {
  const { host, hostname, port } = new URL(url);
  const started = performance.now();
  const socket = connect({ host: hostname, port: Number(port) });
  let received = "";
  socket.on("data", (bytes: Buffer) => {
    received += bytes.toString("latin1");
  });
  socket.write(STARTS[index % STARTS.length]?.(host, token) ?? "");
  const bytes = setInterval(() => socket.write("a"), BYTE_EVERY_MS);
  await closed(socket);
  clearInterval(bytes);
  return { ms: performance.now() - started, status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0) };
}

async function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.on("error", () => socket.destroy());
  socket.once("end", () => socket.destroy());
  socket.once("close", () => resolve());
  const timer = globalThis.setTimeout(() => socket.destroy(), WAIT_MAX_MS);
  await promise;
  clearTimeout(timer);
}
