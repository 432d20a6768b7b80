import { setTimeout } from "node:timers/promises";
import { and, eq, sql } from "drizzle-orm";
import { sourceVersions } from "../../lib/db/schema/index.ts";
import { LEASE_SECONDS } from "../../lib/jobs/queue.ts";
import { documents } from "../corpus.ts";
import { addLine, stateOf, upload, withQuickModel } from "./intake.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { watchProcesses } from "./process-watch.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

const MEGABYTES = { short: 5, full: 50 };
const WAIT_MAX_MS = 30 * 60_000;
const POLL_MS = 500;
const LINE_EVERY = 40;
const LINE_WITHIN_MS = 10_000;

/** Processes one very large plain text, while another company adds a source from time to time. */
export const largeText: Machine = {
  about: `processes ${MEGABYTES.full} MB of plain text: every heartbeat is on time, and other companies do not wait`,
  run: (run) => withQuickModel((variables) => withProduct({ variables }, (product) => measureAll(product, run))),
};

async function measureAll(product: Product, { short, seed, say }: MachineRun): Promise<Measured[]> {
  const megabytes = short ? MEGABYTES.short : MEGABYTES.full;
  const quiet = await addTenant(product, "Quiet", { opening: "We open at nine." });
  const large = await addTenant(product, "Large", { opening: "We open at ten." });
  const watch = watchProcesses(product.pids);
  const started = performance.now();
  const { data, error: refusal } = await upload(product.url, large, "large.txt", textOf(megabytes, seed));
  if (!data) throw new Error(refusal);
  const lines: number[] = [];
  let leastRest = LEASE_SECONDS;
  let deaths = 0;
  for (let polls = 0; ; polls++) {
    const { state, error } = await stateOf(large.scope, data.versionId);
    if (error) throw new Error(error);
    if (state !== "building" || performance.now() - started > WAIT_MAX_MS) break;
    const job = await jobOf(large, data.versionId);
    leastRest = Math.min(leastRest, job.rest ?? LEASE_SECONDS);
    deaths = Math.max(deaths, job.deaths);
    if (polls % LINE_EVERY === 0) {
      lines.push(...(await addLine(quiet, polls)));
      say(`${job.done} of ${job.total} chunks after ${seconds(performance.now() - started)}`);
    }
    await setTimeout(POLL_MS);
  }
  const took = performance.now() - started;
  const { state, chunks } = await builtOf(large, data.versionId);
  const processes = watch.end();
  const slowest = Math.max(...lines);
  return [
    row(`${megabytes} MB of plain text are searchable`, `${chunks} chunks in ${seconds(took)}`, state === "current"),
    row(
      `the worker's lease of ${LEASE_SECONDS} s always has half of its time left`,
      `${leastRest.toFixed(1)} s left at least, ${deaths} leases lost`,
      leastRest > LEASE_SECONDS / 2 && deaths === 0,
    ),
    ...processes,
    row(
      `another company's source is searchable within ${seconds(LINE_WITHIN_MS)}`,
      `slowest of ${lines.length}: ${seconds(slowest)}`,
      slowest < LINE_WITHIN_MS,
    ),
  ];
}

function textOf(megabytes: number, seed: number): Buffer {
  const parts: string[] = [];
  let [rest, part] = [megabytes * 1e6, seed];
  while (rest > 0) {
    const text = `${documents(1_000, part++)
      .map(({ content }) => content)
      .join("\n\n")}\n\n`;
    parts.push(text.slice(0, rest));
    rest -= text.length;
  }
  return Buffer.from(parts.join(""), "latin1");
}

async function jobOf({ scope }: Tenant, versionId: string) {
  const [job] = await scope.transaction((tx) =>
    tx.execute<{ rest: number | null; deaths: number; done: number; total: number }>(sql`
      select extract(epoch from lease_until - clock_timestamp())::float8 as rest, deaths,
        progress_done as done, progress_total as total
      from ragstone.jobs where company_id = ${scope.companyId}::uuid and subject_id = ${versionId}::uuid`),
  );
  return job ?? { rest: null, deaths: 0, done: 0, total: 0 };
}

async function builtOf({ scope }: Tenant, versionId: string) {
  const { id, companyId, state, chunkCount } = sourceVersions;
  const [version] = await scope.transaction((tx) =>
    tx
      .select({ state, chunks: chunkCount })
      .from(sourceVersions)
      .where(and(eq(companyId, scope.companyId), eq(id, versionId))),
  );
  return { state: version?.state, chunks: version?.chunks ?? 0 };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}
