import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection } from "../../lib/db/client.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { createMember } from "../../lib/members/service.ts";
import { percentiles } from "../measure.ts";
import { type BenchServer, startServer } from "../server.ts";
import { createFeed, type Feed } from "./feed.ts";
import type { Machine, MachineRun } from "./machine.ts";
import { sampleProcesses } from "./process-samples.ts";
import { namedProcesses } from "./process-watch.ts";
import { report } from "./steady-report.ts";
import { type SteadySample, sampleDatabase } from "./steady-samples.ts";
import { type Answered, createTraffic, signIn } from "./steady-traffic.ts";

const FULL_MINUTES = 60;
const SHORT_MINUTES = 1;
const SAMPLE_EVERY_MS = 30_000;
const FEED_EVERY_MS = 5_000;
/** At a higher rate, the client on the same machine would distort the measurement. */
const RATE_MAX = 60;
const CAPACITY_CLIENTS = 4;
/** Time to compile code and fill caches. */
const WARM_UP_SECONDS_MAX = 10;
const CAPACITY_SECONDS_MAX = 20;
/** Sources at the start, which stay about constant. A run of seconds uses fewer. */
const SOURCES = 300;
const SOURCES_OF_SHORT_RUN = 40;

/** Sends requests at about half of the machine's capacity for an hour, while sources are added, changed and deleted. */
export const steady: Machine = { about: "sends requests at a steady rate for an hour, with ingestion running", run };

async function run({ random, short, minutes = short ? SHORT_MINUTES : FULL_MINUTES, rate: given, say }: MachineRun) {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-hour-"));
  const variables = { DATA_DIR: dataDir, DATABASE_URL: process.env.DATABASE_URL ?? "", LOG_LEVEL: "warn" };
  Object.assign(process.env, variables);
  let output = "";
  const server = await startServer(variables, (text) => {
    output += text;
  });
  try {
    const scope = tenantScope((await createCompany(CLI_ACTOR, { name: "Steady" })).id);
    const { token } = await createKey(scope, CLI_ACTOR, { name: "soak", rateLimitPerMinute: 0 });
    const person = { email: `${scope.companyId}@example.com`, password: "granite marl slate" };
    await createMember(scope, CLI_ACTOR, { ...person, name: "Sam Steady", role: "admin" });
    const feed = createFeed(scope, random, minutes < SHORT_MINUTES ? SOURCES_OF_SHORT_RUN : SOURCES);
    await feed.begin();
    const send = createTraffic(random, { url: server.url, token, cookie: await signIn(server.url, person) });
    const before = namedProcesses(server.pids());
    const warmUp: Answered[] = [];
    const capacity = await measureCapacity({ send, feed, warmUp, minutes });
    const rate = given ?? Math.max(1, Math.min(RATE_MAX, Math.round(capacity / 2)));
    say(`${capacity.toFixed(0)} requests a second at most; ${rate} a second for ${minutes} minutes`);
    const seen = await keepSteady({ scope, server, send, feed, rate, minutes, say });
    const processes = { before, after: namedProcesses(server.pids()) };
    // the log is written with a delay
    await setTimeout(1_500);
    return await report({ scope, minutes, rate, warmUp, ...seen, feed, processes, output });
  } finally {
    await closeConnection();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Send = ReturnType<typeof createTraffic>;

interface CapacityRun {
  send: Send;
  feed: Feed;
  warmUp: Answered[];
  minutes: number;
}

/** Requests per second that a few clients reach without pauses, with ingestion running. */
async function measureCapacity({ send, feed, warmUp, minutes }: CapacityRun): Promise<number> {
  const seconds = Math.min(CAPACITY_SECONDS_MAX, minutes * 15);
  const started = performance.now();
  const measuredFrom = started + Math.min(WARM_UP_SECONDS_MAX, minutes * 15) * 1_000;
  const until = measuredFrom + seconds * 1_000;
  const beside = every(FEED_EVERY_MS, until, () => feed.change());
  let measured = 0;
  await Promise.all(
    Array.from({ length: CAPACITY_CLIENTS }, async () => {
      while (performance.now() < until) {
        warmUp.push(await timed(send, started));
        if (performance.now() > measuredFrom) measured++;
      }
    }),
  );
  await beside;
  return measured / seconds;
}

async function timed(send: Send, started: number): Promise<Answered> {
  const since = performance.now();
  const answer = await send();
  return { ...answer, ms: performance.now() - since, at: since - started };
}

interface Course {
  scope: TenantScope;
  server: BenchServer;
  send: Send;
  feed: Feed;
  rate: number;
  minutes: number;
  say: MachineRun["say"];
}

/** Sends at fixed times without waiting for earlier responses. */
async function keepSteady({ scope, server, send, feed, rate, minutes, say }: Course) {
  const started = performance.now();
  const end = started + minutes * 60_000;
  const [answered, samples]: [Answered[], SteadySample[]] = [[], []];
  const pending = new Set<Promise<void>>();
  const beside = Promise.all([
    every(FEED_EVERY_MS, end, () => feed.change()),
    every(Math.min(SAMPLE_EVERY_MS, minutes * 6_000), end, async () => {
      const sample = { at: performance.now() - started, ...(await sampleDatabase(scope)) };
      samples.push({ ...sample, processes: sampleProcesses(server.pids()) });
      if (samples.length % 10 === 0) say(progressLine(sample.at, answered));
    }),
  ]);
  for (let sent = 0; ; sent++) {
    const due = started + (sent * 1_000) / rate;
    if (due >= end) break;
    await setTimeout(Math.max(0, due - performance.now()));
    const work = timed(send, started).then((answer) => void answered.push(answer));
    pending.add(work);
    work.finally(() => pending.delete(work));
  }
  await Promise.all(pending);
  await beside;
  return { answered, samples };
}

/** Includes the load average, because other processes influence the measurement. */
function progressLine(at: number, answered: Answered[]): string {
  const { p50, p99 } = percentiles(answered.slice(-1_000).map(({ ms }) => ms));
  const load = loadavg()[0]?.toFixed(1);
  return `${Math.round(at / 60_000)} min, ${answered.length} answered, lately p50 ${p50} ms, p99 ${p99} ms, load ${load}`;
}

async function every(ms: number, end: number, work: () => Promise<void>): Promise<void> {
  for (let due = performance.now(); due < end; due += ms) {
    await setTimeout(Math.max(0, due - performance.now()));
    await work();
  }
}
