import type { TenantScope } from "../../lib/db/tenant.ts";
import { percentiles } from "../measure.ts";
import { countedTexts } from "./answer-fault.ts";
import type { Feed } from "./feed.ts";
import type { Measured } from "./machine.ts";
import { type ProcessRole, slope } from "./process-samples.ts";
import { countedRequests, type SteadySample } from "./steady-samples.ts";
import type { Answered } from "./steady-traffic.ts";

/** The first share of a run, in which caches fill and code is compiled. */
const WARM_UP = 0.1;
/** A slope over a shorter run means nothing. */
const JUDGED_MINUTES = 10;
const MEGABYTES_PER_MINUTE = 1;
const HANDLES_PER_MINUTE = 0.1;
/** Enough for every table and index of the product. */
const OPEN_FILES_MAX = 400;
const P99_RATIO = 1.3;
/** Dead rows of a table that are normal between two vacuums. */
const DEAD_ROWS = { constant: 1_000, share: 0.5 };
const JOBS_WAITING_MAX = 20;
/** How much more a row may take at the end than in the middle of a run, with room for small tables. */
const TABLE_SIZE = { ratio: 1.5, constant: 4_194_304 };

/** The settings and the measurements of a run. */
interface SteadyRun {
  scope: TenantScope;
  minutes: number;
  rate: number;
  /** Requests of the capacity measurement, which count in the totals but not in the latencies. */
  warmUp: Answered[];
  answered: Answered[];
  samples: SteadySample[];
  feed: Feed;
  /** The processes of the product before and after the requests. */
  processes: Record<"before" | "after", Map<number, ProcessRole>>;
  /** Everything that the server printed. */
  output: string;
}

/** The promises of a steady hour, with the measurements of the run. */
export async function report(run: SteadyRun): Promise<Measured[]> {
  return [
    answers(run),
    await counters(run),
    latency(run),
    ...resources(run),
    openFiles(run),
    deadRows(run),
    tableSizes(run),
    jobsDone(run),
    processDeaths(run),
    rejections(run),
    errorsLogged(run),
  ];
}

function answers({ answered, warmUp }: SteadyRun): Measured {
  const all = [...warmUp, ...answered];
  const refused = all.filter(({ status, fault }) => status !== 200 || fault !== null);
  const kinds = countedTexts(refused.map(({ kind, status, fault }) => `${kind} ${fault ?? `status ${status}`}`));
  return {
    promise: "every request gets 200, and every question results",
    measured: `${all.length - refused.length} of ${all.length}; others: ${kinds}`,
    kept: refused.length === 0 && all.length > 0,
  };
}

async function counters({ scope, answered, warmUp }: SteadyRun): Promise<Measured> {
  const sent = [...warmUp, ...answered].filter(({ kind }) => kind === "retrieve").length;
  const { logged, counted } = await countedRequests(scope);
  return {
    promise: "requests sent = rows in the log = requests counted",
    measured: `${sent} = ${logged} = ${counted}`,
    kept: sent === logged && sent === counted,
  };
}

function latency({ answered, minutes, rate }: SteadyRun): Measured {
  const tenth = minutes * 6_000;
  const api = answered.filter(({ kind }) => kind !== "page");
  const first = percentilesOf(api.filter(({ at }) => at < tenth));
  const last = percentilesOf(api.filter(({ at }) => at >= minutes * 60_000 - tenth));
  return {
    promise: `p99 of the last tenth within ${P99_RATIO} times the first, at ${rate}/s`,
    measured: `p50 ${first.p50} → ${last.p50} ms, p99 ${first.p99} → ${last.p99} ms`,
    kept: ifLong(minutes, last.p99 <= first.p99 * P99_RATIO),
  };
}

/** The verdict on a long run. A short one cannot show growth. */
function ifLong(minutes: number, kept: boolean): Measured["kept"] {
  return minutes < JUDGED_MINUTES ? "skipped" : kept;
}

function percentilesOf(answered: Answered[]) {
  return percentiles(answered.map(({ ms }) => ms));
}

function resources({ samples, minutes }: SteadyRun): Measured[] {
  const warm = samples.filter(({ at }) => at >= minutes * 60_000 * WARM_UP);
  const roles = (["web", "worker", "database"] as const).filter((role) => warm.some((each) => each.processes[role]));
  const grow = (promise: string, most: number, amountOf: (sample: SteadySample) => number | undefined): Measured => {
    const points = warm.flatMap((sample) => {
      const y = amountOf(sample);
      return y === undefined ? [] : [{ x: sample.at / 60_000, y }];
    });
    const rate = slope(points);
    const [from, to] = [points[0]?.y ?? 0, points.at(-1)?.y ?? 0].map(Math.round);
    return { promise, measured: `${signed(rate)} per minute, ${from} → ${to}`, kept: ifLong(minutes, rate < most) };
  };
  const process = (role: ProcessRole) => (sample: SteadySample) => sample.processes[role];
  return [
    ...roles.map((role) =>
      grow(
        `memory of ${role} grows by less than ${MEGABYTES_PER_MINUTE} MB per minute`,
        MEGABYTES_PER_MINUTE,
        (sample) => {
          return process(role)(sample)?.megabytes;
        },
      ),
    ),
    ...roles.flatMap((role) => [
      // stray handles only: the database keeps one handle per used file, which is not a leak
      grow(
        `stray file handles of ${role} do not grow`,
        HANDLES_PER_MINUTE,
        (sample) => process(role)(sample)?.strayFiles,
      ),
      grow(`open sockets of ${role} do not grow`, HANDLES_PER_MINUTE, (sample) => process(role)(sample)?.sockets),
    ]),
    grow("database connections do not grow", HANDLES_PER_MINUTE, ({ connections }) => connections),
  ];
}

function openFiles({ samples }: SteadyRun): Measured {
  const most = Math.max(0, ...samples.flatMap(({ processes }) => Object.values(processes).map(({ files }) => files)));
  return {
    promise: `at most ${OPEN_FILES_MAX} open files per process`,
    measured: String(most),
    kept: most <= OPEN_FILES_MAX,
  };
}

/** Checks the second half of the run, after the first vacuums. */
function deadRows({ samples, minutes }: SteadyRun): Measured {
  const late = samples.slice(Math.floor(samples.length / 2)).flatMap(({ tables }) => tables);
  const excess = late.filter(({ live, dead }) => dead > DEAD_ROWS.constant + DEAD_ROWS.share * live);
  const worst = late.toSorted((a, b) => b.dead - a.dead)[0];
  const [first, last] = [samples[0], samples.at(-1)].map((sample) => megabytesOf(sample));
  return {
    promise: `dead rows per table ≤ ${DEAD_ROWS.constant} + ${DEAD_ROWS.share} × live`,
    measured: `${worst?.dead ?? 0} max (${worst?.name}, ${worst?.live} live); tables ${first} → ${last} MB`,
    kept: ifLong(minutes, excess.length === 0),
  };
}

/** Bytes for each row that is left: a table that keeps the space of deleted rows takes more and more. Pure. */
export function tableSizes({ samples, minutes }: Pick<SteadyRun, "samples" | "minutes">): Measured {
  const [middle, last] = [samples[samples.length >> 1]?.tables ?? [], samples.at(-1)?.tables ?? []];
  const sizes = last.flatMap(({ name, live, bytes }) => {
    const before = middle.find((table) => table.name === name);
    if (!before) return [];
    const most = TABLE_SIZE.constant + TABLE_SIZE.ratio * (before.bytes / Math.max(1, before.live)) * live;
    return { name, share: bytes / most, live, bytes };
  });
  const [worst] = sizes.toSorted((a, b) => b.share - a.share);
  const measured =
    worst && `${worst.name}: ${kilobytes(worst.bytes)} kB for ${worst.live} rows, ${worst.share.toFixed(2)}`;
  return {
    promise: `no table takes more than ${TABLE_SIZE.ratio} times its bytes per row of the middle of the run`,
    measured: `${measured ?? "no tables"} of the limit at most`,
    kept: worst !== undefined && ifLong(minutes, worst.share <= 1),
  };
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1_024);
}

function megabytesOf(sample: SteadySample | undefined): number {
  return Math.round((sample?.tables ?? []).reduce((sum, { bytes }) => sum + bytes, 0) / 1_048_576);
}

function jobsDone({ samples, feed }: SteadyRun): Measured {
  const waiting = samples.at(-1)?.jobs ?? 0;
  return {
    promise: "ingestion keeps up",
    measured: `${feed.rounds()} rounds of changes, ${waiting} jobs waiting at the end`,
    kept: feed.rounds() > 0 && waiting <= JOBS_WAITING_MAX,
  };
}

/** A process that crashed need not print why, and its supervisor restarts it. Pure. */
export function processDeaths({ processes, output }: Pick<SteadyRun, "processes" | "output">): Measured {
  const { before, after } = processes;
  const ended = [...before].filter(([pid]) => !after.has(pid)).map(([, role]) => role);
  const restarts = output.match(/ ended \(.*?\)\. Restarting in/g)?.length ?? 0;
  return {
    promise: "no process ends or restarts",
    measured: `${before.size} processes; ended: ${countedTexts(ended)}; ${restarts} restarts in the log`,
    kept: before.size > 1 && ended.length === 0 && restarts === 0,
  };
}

function rejections({ output }: SteadyRun): Measured {
  const found = output.match(/unhandled ?rejection|uncaught ?exception/gi)?.length ?? 0;
  return { promise: "no unhandled rejection", measured: String(found), kept: found === 0 };
}

function errorsLogged({ answered, warmUp, output }: SteadyRun): Measured {
  const failed = [...warmUp, ...answered].filter(({ status }) => status >= 500);
  const silent = failed.filter(({ requestId }) => !requestId || !output.includes(requestId));
  return {
    promise: "every 5xx is in the log",
    measured: `${failed.length - silent.length} of ${failed.length}`,
    kept: silent.length === 0,
  };
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}
