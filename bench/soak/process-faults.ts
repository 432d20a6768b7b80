import { setTimeout } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { LEASE_SECONDS } from "../../lib/jobs/queue.ts";
import { progressOf } from "../../lib/knowledge/ingest/progress.ts";
import { anyLeaseIsHeld, leasesOf } from "./leases.ts";
import { type Measured, row } from "./machine.ts";
import type { Random } from "./random.ts";
import type { HalfUpload, Subject } from "./subject.ts";
import { waitFor } from "./wait.ts";

const KILLS = { short: 2, full: 20 };
const PAUSES = { short: 0, full: 2 };
/** Longer than a worker's lease. */
const PAUSE_MS = (LEASE_SECONDS + 6) * 1_000;
const SOURCES_PER_FAULT = 4;
const PUTS_UNDER_WAY = 2;
/** Maximum wait before a fault, so that it hits the work at different points. */
const WORK_MS_MAX = 400;
const TRIES = 20;
/** After this number of faults all work must end, or it would pile up behind new sources. */
const FAULTS_PER_SETTLE = 5;
/** The time of a lease, and of a worker that restarts after several deaths. */
const LEASE_ENDS_WITHIN_MS = 60_000;

type Fault = "web" | "worker" | "database" | "pause";

/** A database that is killed. Callers may send requests while it is unavailable. */
interface Crash {
  kill(): Promise<void>;
  /** Missing when the product itself restarts the database. */
  recover?(): Promise<void>;
}

/** What a fault hit. */
interface Hit {
  fault: Fault;
  /** Whether a worker had a lease. */
  job: boolean;
  upload: boolean;
  /** Complete PUTs that waited for their answers. */
  puts: number;
  /** Time from the fault until nobody had the lease. */
  leaseMs: number;
}

/** Work that goes on when a fault is injected. */
interface Work {
  versions: string[];
  leases: string[];
  upload: HalfUpload | null;
  /** PUTs beside the upload. */
  puts: StartedPuts | null;
}

/**
 * Kills the web server, the worker and the database with SIGKILL, and pauses the worker for longer than its lease, in
 * random order, each time while a job is running. The web server and the database also have requests under way.
 * @param crash kills and restarts the PostgreSQL server; without it, the embedded database process is killed
 */
export async function injectFaults(subject: Subject, crash?: Crash): Promise<Measured[]> {
  const { random, short, say } = subject;
  const [kills, pauses] = short ? [KILLS.short, PAUSES.short] : [KILLS.full, PAUSES.full];
  const faults: Fault[] = [];
  for (const fault of ["web", "worker", "database"] as const) faults.push(...Array<Fault>(kills).fill(fault));
  faults.push(...Array<Fault>(pauses).fill("pause"));
  const hits: Hit[] = [];
  for (const [index, fault] of shuffled(faults, random).entries()) {
    const hit = await injectUntilHit(subject, fault, crash);
    hits.push(hit);
    say(`${index + 1} of ${faults.length}, ${fault}: the lease ended after ${Math.round(hit.leaseMs / 1_000)} s`);
    if (index % FAULTS_PER_SETTLE === FAULTS_PER_SETTLE - 1) await subject.settle();
  }
  say(`${kills} kills of each process, ${pauses} pauses of the worker`);
  return rowsOf(hits);
}

/** Injects the fault again when the jobs had ended just before it. */
async function injectUntilHit(subject: Subject, fault: Fault, crash?: Crash): Promise<Hit> {
  for (let tries = 1; ; tries++) {
    const hit = await injectDuringWork(subject, fault, crash);
    if (hit.job || tries === TRIES) return hit;
  }
}

async function injectDuringWork(subject: Subject, fault: Fault, crash?: Crash): Promise<Hit> {
  const { company, client } = subject;
  const work = await untilWorking(subject, fault === "web" || fault === "database");
  const puts = client.underWay();
  const began = performance.now();
  const isFree = () =>
    anyLeaseIsHeld(company.scope, work.leases).then(
      (held) => !held,
      // the connection of this process broke too
      () => false,
    );
  const injected = async () => {
    const leases = await inject(subject, { fault, work, crash });
    await work.upload?.finish();
    await work.puts?.accepted;
    return leases;
  };
  // measured beside the requests, which are repeated for longer
  const freed = waitFor("the lease of a killed worker to end", isFree).then(() => performance.now() - began);
  const [leases, leaseMs] = await Promise.all([injected(), freed]);
  return { fault, job: leases.length > 0, upload: work.upload !== null, puts, leaseMs };
}

/** @returns the leases that the fault hit */
async function inject(
  { product, company, restart }: Subject,
  { fault, work, crash }: { fault: Fault; work: Work; crash: Crash | undefined },
): Promise<string[]> {
  if (fault === "web") await restart();
  else if (fault === "worker") {
    await product.signal("worker", "SIGKILL");
    // a job that ended just before is not among them
    return leasesOf(company.scope, work.versions);
  } else if (fault === "database") {
    await (crash?.kill() ?? product.signal("database", "SIGKILL"));
    void work.upload?.finish().catch(() => undefined);
    await crash?.recover?.();
  } else {
    await product.signal("worker", "SIGSTOP");
    await setTimeout(PAUSE_MS);
    await product.signal("worker", "SIGCONT");
  }
  return work.leases;
}

/** Adds sources until a worker processes some of them and, if wanted, requests are under way. */
async function untilWorking(subject: Subject, withRequests: boolean): Promise<Work> {
  const { give, startUpload, company, random } = subject;
  for (let tries = 0; tries < TRIES; tries++) {
    const versions = await give(SOURCES_PER_FAULT);
    await waitFor("a worker to take new sources", () => isTaken(subject, versions), { everyMs: 10 });
    await setTimeout(random.next() * WORK_MS_MAX);
    const upload = withRequests ? await startUpload() : null;
    const puts = withRequests ? await startPuts(subject) : null;
    // last, because the jobs may end in the meantime
    const leases = await leasesOf(company.scope, versions);
    if (leases.length > 0) return { versions, leases, upload, puts };
    await upload?.finish();
    await puts?.accepted;
  }
  throw new Error(`All jobs ended before a fault, ${TRIES} times.`);
}

interface StartedPuts {
  /** Resolves when they are accepted. */
  accepted: Promise<unknown>;
}

/** @returns when one of the PUTs is sent */
async function startPuts({ give, client }: Subject): Promise<StartedPuts> {
  const accepted = give(PUTS_UNDER_WAY);
  let ended = false;
  // awaited after the fault
  accepted
    .catch(() => undefined)
    .finally(() => {
      ended = true;
    });
  await waitFor("a PUT to be sent", () => ended || client.underWay() > 0, { everyMs: 1 });
  return { accepted };
}

/** Whether a worker processes these sources or has processed them. */
async function isTaken({ company: { scope } }: Subject, versions: string[]): Promise<boolean> {
  try {
    const { done, total } = await progressOf(scope, CLI_ACTOR, versions);
    return done === total || (await leasesOf(scope, versions)).length > 0;
  } catch {
    // the connection of this process broke in the last fault
    return false;
  }
}

function rowsOf(hits: Hit[]): Measured[] {
  const kills = hits.filter(({ fault }) => fault !== "pause");
  const longest = Math.max(...kills.map(({ leaseMs }) => leaseMs));
  return [
    ...(["web", "worker", "database"] as const).map((role) => {
      const own = kills.filter(({ fault }) => fault === role);
      const hit = own.filter(({ job }) => job).length;
      return row(`kills of ${role} with a job running`, `${hit} of ${own.length}`, hit === own.length && hit > 0);
    }),
    ...(["web", "database"] as const).map((role) => {
      const own = kills.filter(({ fault }) => fault === role);
      const [uploads, puts] = [own.filter(({ upload }) => upload).length, own.filter((hit) => hit.puts > 0).length];
      return row(
        `kills of ${role} with an upload under way`,
        `${uploads} of ${own.length}, ${puts} also with PUTs`,
        uploads === own.length && uploads > 0 && puts > 0,
      );
    }),
    row(
      `every lease ends within ${LEASE_ENDS_WITHIN_MS / 1_000} s after its kill`,
      `${(longest / 1_000).toFixed(1)} s max`,
      longest < LEASE_ENDS_WITHIN_MS,
    ),
  ];
}

function shuffled<Item>(items: Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
