import { setTimeout } from "node:timers/promises";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection, connect, setConnection } from "../../lib/db/client.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { messageOf } from "../../lib/errors.ts";
import { knowledgeSums } from "../../lib/testing/knowledge-sums.ts";
import { countedTexts } from "./answer-fault.ts";
import { type MachineRun, type Measured, row } from "./machine.ts";
import { PutClient } from "./put-client.ts";
import { type Restartable, startRestartable } from "./restartable.ts";
import { type Answers, askOnce, keepAsking } from "./subject-questions.ts";
import { compareStates, stateOf } from "./subject-state.ts";

/** Time from the end of a fault until all accepted sources are searchable. */
const STUCK_AFTER_MS = 60_000;
const WAIT_MAX_MS = 300_000;
/** Time to process all sources of a long run together. */
const CLEAN_WAIT_MAX_MS = 1_200_000;
const PARTS_PER_SOURCE = [3, 9] as const;

interface Company {
  scope: TenantScope;
  token: string;
}

/** An upload whose first half the server has. */
export interface HalfUpload {
  /** Sends the rest, or everything again if the server was killed. @returns when the file is accepted */
  finish(): Promise<void>;
}

/** The product under faults. One company keeps adding sources and asking questions. */
export interface Subject extends Pick<MachineRun, "random" | "short" | "say"> {
  product: Restartable;
  company: Company;
  client: PutClient;
  /** Puts new sources and changes an earlier one, and retries until they are accepted. @returns their versions */
  give(count: number): Promise<string[]>;
  /** Uploads half of a new file. */
  startUpload(): Promise<HalfUpload>;
  /** Kills the web server and restarts the tree. @param variables environment variables to change */
  restart(variables?: Record<string, string>): Promise<void>;
  /** Waits until all accepted sources are searchable. @returns milliseconds */
  settle(): Promise<number>;
}

interface SubjectOptions {
  /** Prefix of every promise. */
  name: string;
  variables: Record<string, string>;
  target: Parameters<typeof connect>[0];
  /** Whether PUTs may be refused because the disk is full. */
  fillsDisk?: boolean;
}

/**
 * Runs the product while `harm` injects faults, then compares the company with a clean one that got the same sources
 * without faults: nothing is lost, duplicated or stuck, and callers saw no error except 503.
 * @returns the rows of `harm` and of the comparison
 */
export async function withSubject(
  { random, short, say }: MachineRun,
  { name, variables, target, fillsDisk = false }: SubjectOptions,
  harm: (subject: Subject) => Promise<Measured[]>,
): Promise<Measured[]> {
  const product = await startRestartable(variables);
  setConnection(connect(target));
  let questions: ReturnType<typeof keepAsking> | undefined;
  try {
    const [company, clean] = [await newCompany("Harmed"), await newCompany("Clean")];
    const client = new PutClient(product, company.token);
    const sources = new Sources(random);
    const subject: Subject = {
      random,
      short,
      say: (line) => say(`${name}: ${line}`),
      product,
      company,
      client,
      give: (count) => Promise.all(sources.next(count).map((id) => client.put(id, sources.contentOf(id)))),
      startUpload: () => startUpload(client, sources),
      restart: (changed = {}) => restart(product, target, changed),
      settle: () => settle(company.scope),
    };
    // a question without any source has no results
    await subject.give(1);
    await subject.settle();
    questions = keepAsking(product, company.token);
    // told before the product stops
    const own = await harm(subject).catch((error: unknown) => {
      subject.say(`ended early: ${messageOf(error)}`);
      throw error;
    });
    const settledMs = await settle(company.scope);
    const answers = await questions.end();
    await sources.putAll(new PutClient(product, clean.token));
    await settle(clean.scope, CLEAN_WAIT_MAX_MS);
    const askAs = (token: string) => (queryText: string) => askOnce(product.url(), token, queryText);
    const states = {
      harmed: await stateOf(company.scope, askAs(company.token)),
      clean: await stateOf(clean.scope, askAs(clean.token)),
    };
    const rows = [
      ...own,
      ...compareStates(states, { sources: sources.count(), puts: client.puts }),
      ...recoveryRows(settledMs, answers),
      putRow(client, fillsDisk),
    ];
    return rows.map((each) => ({ ...each, promise: `${name}: ${each.promise}` }));
  } finally {
    await questions?.end();
    await closeConnection();
    await product.stop();
  }
}

async function newCompany(name: string): Promise<Company> {
  const scope = tenantScope((await createCompany(CLI_ACTOR, { name })).id);
  const key = { name: "faults", rateLimitPerMinute: 0, scopes: ["retrieve" as const, "ingest" as const] };
  return { scope, token: (await createKey(scope, CLI_ACTOR, key)).token };
}

/** The sources that a company is given. Every PUT has a text of its own, so that a lost one is missing in the end. */
class Sources {
  readonly #random: MachineRun["random"];
  readonly #texts = new Map<string, string>();
  readonly #files = new Map<string, string>();
  /** Sources that have not been changed yet, because a second change would hide that the first one was lost. */
  readonly #unchanged: string[] = [];
  #editions = 0;

  constructor(random: MachineRun["random"]) {
    this.#random = random;
  }

  count(): number {
    return this.#texts.size + this.#files.size;
  }

  contentOf(id: string): string {
    return this.#texts.get(id) ?? "";
  }

  /** Names new sources and one earlier source, with new texts. */
  next(count: number): string[] {
    const added = Array.from({ length: count }, () => `source-${++this.#editions}`);
    const changed = this.#unchanged.splice(this.#random.between(0, this.#unchanged.length), 1);
    this.#unchanged.push(...added);
    for (const id of [...added, ...changed]) this.#texts.set(id, this.#newText(id));
    return [...added, ...changed];
  }

  /** Names a new file. */
  nextFile(): { id: string; content: string } {
    const id = `file-${++this.#editions}.md`;
    const content = this.#newText(id);
    this.#files.set(id, content);
    return { id, content };
  }

  async putAll(client: PutClient): Promise<void> {
    for (const [id, content] of this.#texts) await client.put(id, content);
    for (const [id, content] of this.#files) await client.upload(id, content);
  }

  #newText(id: string): string {
    const edition = ++this.#editions;
    const part = (number: number) =>
      `## Part ${number}\n\nEdition ${edition} of ${id}: ${`clause ${number} holds. `.repeat(30)}`;
    return Array.from({ length: this.#random.between(...PARTS_PER_SOURCE) }, (_, index) => part(index)).join("\n\n");
  }
}

async function startUpload(client: PutClient, sources: Sources): Promise<HalfUpload> {
  const { id, content } = sources.nextFile();
  const [half, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const accepted = client.upload(id, content, { onHalf: half.resolve, rest: rest.promise });
  // awaited by `finish`
  accepted.catch(() => undefined);
  await Promise.race([half.promise, accepted]);
  return {
    async finish() {
      rest.resolve();
      await accepted;
    },
  };
}

async function restart(product: Restartable, target: SubjectOptions["target"], changed: Record<string, string>) {
  // the embedded database runs as long as a client is connected
  await product.restart(changed, closeConnection);
  setConnection(connect(target));
}

async function settle(scope: TenantScope, maxMs = WAIT_MAX_MS): Promise<number> {
  const began = performance.now();
  const unfinished = () => knowledgeSums(scope).then((sums) => sums.unfinished);
  while ((await unfinished().catch(() => 1)) > 0 && performance.now() - began < maxMs) {
    await setTimeout(250);
  }
  return performance.now() - began;
}

function recoveryRows(settledMs: number, { asked, refused, faults }: Answers): Measured[] {
  return [
    row(
      `everything is searchable within ${STUCK_AFTER_MS / 1_000} s after the last fault`,
      `${Math.round(settledMs / 100) / 10} s`,
      settledMs < STUCK_AFTER_MS,
    ),
    row(
      "questions get only results, or 503 with Retry-After, while the server runs",
      `${asked} asked, ${refused} refused, others: ${countedTexts(faults)}`,
      faults.length === 0 && asked > refused,
    ),
  ];
}

function putRow({ puts, refused, faults, diskFull }: PutClient, fillsDisk: boolean): Measured {
  const others = fillsDisk ? faults : [...faults, ...diskFull.map(() => "status 507")];
  return row(
    "PUTs are only accepted, or get 503 with Retry-After, while the server runs",
    `${puts} sent, ${refused} refused, others: ${countedTexts(others)}`,
    others.length === 0,
  );
}
