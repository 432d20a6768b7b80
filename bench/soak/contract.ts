import { documents, questions } from "../corpus.ts";
import { type FuzzTarget, fuzzApi, repeatConcurrently } from "./contract-fuzz.ts";
import { brokenInvariants, brokenMethods } from "./contract-invariants.ts";
import { prepareFuzz } from "./contract-setup.ts";
import { Findings } from "./findings.ts";
import { revokedKeyDelay } from "./key-timing.ts";
import type { Machine, MachineRun, Measured } from "./machine.ts";
import { fuzzPage } from "./page-fuzz.ts";
import { addAndWait, addTenant, type Product, type Tenant, withProduct } from "./product.ts";
import { HANG_MS } from "./raw-answers.ts";
import { INSPECTABLE, InspectorAddress, settledMemory } from "./web-memory.ts";

const GROWTH_MB = 50;
const CLIENTS = 2;
const UNSERVED_MAX_SHORT = 5;
const SIZES = {
  full: { requests: 20_000, parts: 20, pages: 1_000, warmUp: 1_000, questions: 40, keys: 2_000, documents: 200 },
  short: { requests: 600, parts: 2, pages: 60, warmUp: 300, questions: 4, keys: 50, documents: 60 },
};

interface Fuzz {
  run: MachineRun;
  product: Product;
  own: Tenant;
  target: FuzzTarget;
  /** What pages answered. */
  pages: Findings;
}

/** Sends valid, mutated and raw requests, and checks every response against the OpenAPI document. */
export const contract: Machine = {
  about: "fuzzes the API from its OpenAPI document and over raw sockets, and the pages with a session",
  async run(run) {
    const inspector = new InspectorAddress();
    const variables = { ...INSPECTABLE, LOG_LEVEL: "silent" };
    return withProduct({ variables, onOutput: inspector.listen }, async (product) => {
      const own = await addTenant(product, "Contract", {});
      const { random, say } = run;
      const target = await prepareFuzz({
        ...{ url: product.url, asked: own.scope, documents: documents(sizesOf(run).documents), addAndWait, random },
        findings: new Findings(say),
      });
      return measureAll({ run, product, own, target, pages: new Findings(say) }, inspector);
    });
  },
};

async function measureAll(fuzz: Fuzz, inspector: InspectorAddress): Promise<Measured[]> {
  const { run, product, own, target } = fuzz;
  const sizes = sizesOf(run);
  const { requests, growth } = await measureMemory(fuzz, await inspector.of(product.pids()[0] ?? 0));
  const broken = {
    ...(await brokenInvariants(target, questions(sizes.questions, run.seed))),
    ...(await brokenMethods(target)),
  };
  const delay = await revokedKeyDelay(product.url, own, sizes.keys);
  return [
    ...responseRows(fuzz, requests),
    row(`web memory grows by less than ${GROWTH_MB} MB`, mb(growth), growth < GROWTH_MB),
    row("refusals of unknown and revoked keys differ by less than 1 ms", `${delay.toFixed(2)} ms`, Math.abs(delay) < 1),
    ...Object.entries(broken).map(([name, times]) => row(name, `broken ${times} times`, times === 0)),
  ];
}

function responseRows({ run, target: { findings, document }, pages }: Fuzz, requests: number): Measured[] {
  run.say(`responses by status: ${JSON.stringify(findings.statuses)}, of pages: ${JSON.stringify(pages.statuses)}`);
  const unserved = document.operations.map(({ id }) => id).filter((id) => !findings.served.has(id));
  const faults = findings.faults + pages.faults;
  const hangs = findings.hangs + pages.hangs;
  const breaches = findings.total + pages.total;
  // a short run sends some operations only a few times, and they depend on the state of a source
  const succeeds = unserved.length <= (run.short ? UNSERVED_MAX_SHORT : 0);
  const shown = pages.statuses[200] ?? 0;
  return [
    row(`no 5xx in ${requests} requests`, faults, faults === 0),
    row(`no request takes longer than ${HANG_MS / 1_000} s`, hangs, hangs === 0),
    row("no breach of the OpenAPI document or the error format", breaches, breaches === 0),
    row("every operation succeeds at least once", `without success: ${unserved.join(", ") || "none"}`, succeeds),
    row("pages are shown", `${shown} times`, shown > 0),
  ];
}

/** Sends requests in parts and measures the web server after each. @returns the requests and the growth in megabytes */
async function measureMemory({ run, product, own, target, pages }: Fuzz, address: string) {
  const sizes = sizesOf(run);
  const pageFuzz = { known: target.knownToAsked, findings: pages, random: target.random };
  const fuzzOnce = (page: boolean) => (page ? fuzzPage(product.url, own, pageFuzz) : fuzzApi(target));
  const measured = async (requests: number) => {
    const { resident, heap } = await settledMemory(product, address);
    run.say(`after ${requests} requests: ${mb(resident)}, ${mb(heap)} of it heap`);
    return resident;
  };
  const until = Date.now() + (run.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
  await repeatConcurrently(sizes.warmUp, CLIENTS, (index) => fuzzOnce(index % 10 === 0));
  const before = await measured(0);
  let [after, requests] = [before, 0];
  while (requests < sizes.requests && Date.now() < until) {
    await repeatConcurrently(sizes.requests / sizes.parts, CLIENTS, (index) =>
      fuzzOnce(index % (sizes.requests / sizes.pages) === 0),
    );
    requests += sizes.requests / sizes.parts;
    after = await measured(requests);
  }
  return { requests, growth: after - before };
}

function sizesOf({ short }: MachineRun) {
  return short ? SIZES.short : SIZES.full;
}

function mb(megabytes: number): string {
  return `${Math.round(megabytes)} MB`;
}

function row(promise: string, measured: number | string, kept: boolean): Measured {
  return { promise, measured: String(measured), kept };
}
