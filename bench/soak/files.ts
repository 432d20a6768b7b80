import { setTimeout } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { deleteCompany } from "../../lib/companies/service.ts";
import { ingestHostileFolder } from "./hostile-files/folder.ts";
import { type HostileFile, hostileFiles, isPlainSentence } from "./hostile-files/index.ts";
import { addLine, stateOf, upload, withQuickModel } from "./intake.ts";
import { chosenParts, type Machine, type MachineRun, type Measured } from "./machine.ts";
import { watchProcesses } from "./process-watch.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

/**
 * Processor time, because elapsed time depends on other load: 20 s of the reader, 5 s of an earlier reader in the quick
 * lane, and 5 s to start readers and for the worker.
 */
const ANSWERED_WITHIN = { seconds: 30, perMegabyte: 0.8 };
const LINE_WITHIN_MS = 10_000;
const LINE_EVERY = 4;
const POLL_MS = 50;
const WAIT_MAX_MS = 180_000;

/** The outcome for one file: the file was read, or the reason why not. */
interface Outcome {
  name: string;
  /** Elapsed time. */
  ms: number;
  reason: string | null;
}

/** An outcome with the processor time of the worker and its readers. */
type Costed = Outcome & { cpuSeconds: number; megabytes: number };

/** Uploads hostile files one after the other, while another company adds a source from time to time. */
export const files: Machine = {
  about:
    "uploads hostile files: each is read or refused in plain words, within time and memory limits, without harm to others",
  run: (run) => withQuickModel((variables) => withProduct({ variables }, (product) => attack(product, run))),
};

async function attack(product: Product, { random, short, only, say }: MachineRun): Promise<Measured[]> {
  const chosen = chosenParts(hostileFiles, ({ name }) => name, only).filter(({ cheap }) => cheap || !short);
  if (chosen.length === 0) throw new Error(`--short leaves out every file of --only ${only}.`);
  const quiet = await addTenant(product, "Quiet", { opening: "We open at nine." });
  let attacker = await addTenant(product, "Attacker 0", { opening: "We open at ten." });
  const watch = watchProcesses(product.pids);
  const outcomes: Costed[] = [];
  const lines: number[] = [];
  for (const [index, file] of chosen.entries()) {
    const bytes = file.make(random);
    const [{ outcome, isProcessing }, line] = await Promise.all([
      uploadAndWait(product, attacker, file, bytes),
      index % LINE_EVERY === 0 ? addLine(quiet, index) : [],
    ]);
    const costed = { ...outcome, cpuSeconds: watch.takeCpuSeconds(), megabytes: bytes.length / 1e6 };
    outcomes.push(costed);
    lines.push(...line);
    say(`${describe(costed)} (${costed.megabytes.toFixed(1)} MB, memory +${watch.takePeakMb()} MB)`);
    if (!isProcessing) continue;
    // skips the rest of a long text
    await deleteCompany(attacker.scope, CLI_ACTOR);
    attacker = await addTenant(product, `Attacker ${index + 1}`, { opening: "We open at ten." });
  }
  const folder = await ingestHostileFolder(product, attacker.scope.companyId);
  const processes = watch.end();
  const unclear = outcomes.filter(({ reason }) => reason !== null && !isPlainSentence(reason));
  const late = outcomes.filter(
    ({ cpuSeconds, megabytes }) => cpuSeconds > ANSWERED_WITHIN.seconds + ANSWERED_WITHIN.perMegabyte * megabytes,
  );
  const mostExpensive = Math.max(...outcomes.map(({ cpuSeconds }) => cpuSeconds));
  const slowest = Math.max(...outcomes.map(({ ms }) => ms));
  const slowestLine = Math.max(...lines);
  return [
    row(`${outcomes.length} files: each read, or refused in plain words`, listed(unclear), unclear.length === 0),
    row(
      `each within ${ANSWERED_WITHIN.seconds} s of processor time and ${ANSWERED_WITHIN.perMegabyte} s for each MB`,
      `${mostExpensive.toFixed(1)} s (${seconds(slowest)} elapsed); over the limit: ${listed(late)}`,
      late.length === 0,
    ),
    ...processes,
    row(
      "another company's source is searchable within 10 s",
      `slowest ${seconds(slowestLine)}`,
      slowestLine < LINE_WITHIN_MS,
    ),
    folder,
  ];
}

/** @returns the outcome, and whether the worker has read the file and is still processing it */
async function uploadAndWait(product: Product, attacker: Tenant, { name }: HostileFile, bytes: Uint8Array) {
  const started = performance.now();
  const end = (reason: string | null, isProcessing = false) => ({
    outcome: { name: JSON.stringify(name.slice(0, 60)), ms: performance.now() - started, reason },
    isProcessing,
  });
  const { data, error: refusal } = await upload(product.url, attacker, name, bytes);
  if (!data) return end(String(refusal));
  while (performance.now() - started < WAIT_MAX_MS) {
    const { state, error, read } = await stateOf(attacker.scope, data.versionId);
    if (state !== "building") return end(error);
    if (read) return end(null, true);
    await setTimeout(POLL_MS);
  }
  return end("nothing happened", true);
}

function describe({ name, ms, reason, cpuSeconds }: Costed): string {
  return `${name} ${reason ?? "was read"} ${cpuSeconds.toFixed(1)} s of the processor, ${seconds(ms)}`;
}

function listed(outcomes: Costed[]): string {
  return outcomes.map(describe).join("; ") || "none";
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function row(promise: string, measured: string, kept: boolean): Measured {
  return { promise, measured, kept };
}
