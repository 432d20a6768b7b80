import { setTimeout } from "node:timers/promises";
import { documents, questions } from "../corpus.ts";
import { postClient } from "../light-client.ts";
import { percentiles, round } from "../measure.ts";
import { type Machine, type Measured, row } from "./machine.ts";
import { addTenant, type Product, type Tenant, withProduct } from "./product.ts";

const FACTOR = 5;
const SOURCES = 300;
const CLIENTS = 8;
const GOODPUT_MIN = 0.7;
const REFUSED_WITHIN_MS = 100;
const RECOVERED_WITHIN_MS = 10_000;
const STOPPED_WITHIN_MS = 30_000;
const QUESTIONS_BESIDE_PER_SECOND = 5;
const TICK_MS = 5;
/** The capacity is the mean of this time, after as long a warm-up. */
const CAPACITY_MS = 8_000;
const OVERLOAD_MS = { short: 30_000, full: 60_000 };
const BESIDE_MS = 10_000;
const BEFORE_STOP_MS = 5_000;
/** How long requests continue after the signal to stop. */
const AFTER_STOP_MS = 1_500;

/** Asks more than the product can answer, and stops the product while it answers. */
export const overload: Machine = {
  about: `asks ${FACTOR} times what the product can answer, then stops it under load: no request is lost`,
  run: (run) =>
    withProduct({}, async (product) => {
      const texts = documents(SOURCES, run.seed).map(({ sourceId, content }) => [sourceId, content]);
      const [many, few] = [
        await addTenant(product, "Many", Object.fromEntries(texts)),
        await addTenant(product, "Few", Object.fromEntries(texts)),
      ];
      const newAsker = () => createAsker(product, run.random.between(1, 1_000_000));
      const asker = newAsker();
      const capacity = await measureCapacity(asker, many);
      run.say(`${round(capacity)} questions a second`);
      const load = (until: AbortSignal) => sendSteadily(() => asker(many), capacity * FACTOR, until);
      return [
        ...(await overloadBy(load, capacity, run.short ? OVERLOAD_MS.short : OVERLOAD_MS.full)),
        await askBeside(load, () => asker(few)),
        ...(await stopUnderLoad(product, many, newAsker(), capacity / 2)),
      ];
    }),
};

interface Answer {
  /** Time of the request. */
  at: number;
  ms: number;
  /** The status of the response; `refused` without a connection, `dropped` when the connection broke. */
  outcome: number | "refused" | "dropped";
}

type Asker = (tenant: Tenant) => Promise<Answer>;

/** @returns a function that asks the next question; no question repeats */
function createAsker({ url }: Product, seed: number): Asker {
  const post = postClient(`${url}/v1/api/rag/retrieve`);
  const asked = questions(1_000, seed);
  let count = 0;
  return async ({ token }) => {
    const at = performance.now();
    const queryText = `${asked[count % asked.length]} ${count++}`;
    const outcome = await post(token, { queryText }).then(
      ({ status }) => status,
      ({ cause }) => (cause?.code === "ECONNREFUSED" ? "refused" : "dropped"),
    );
    return { at, ms: performance.now() - at, outcome };
  };
}

/** @returns questions per second, asked by a few clients at a time */
async function measureCapacity(ask: Asker, tenant: Tenant): Promise<number> {
  let answered = 0;
  for (const counts of [false, true]) {
    const until = performance.now() + CAPACITY_MS;
    const askInTurn = async () => {
      while (performance.now() < until) {
        const { outcome } = await ask(tenant);
        if (outcome !== 200) throw new Error(`a question without overload got ${outcome}`);
        if (counts) answered++;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, askInTurn));
  }
  return (answered / CAPACITY_MS) * 1_000;
}

/** Sends at a steady rate that does not wait for answers, until the signal. @returns all answers */
async function sendSteadily(ask: () => Promise<Answer>, perSecond: number, until: AbortSignal): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const started = performance.now();
  while (!until.aborted) {
    const due = ((performance.now() - started) / 1_000) * perSecond;
    while (answers.length < due) answers.push(ask());
    await setTimeout(TICK_MS);
  }
  return Promise.all(answers);
}

type Load = (until: AbortSignal) => Promise<Answer[]>;

async function overloadBy(load: Load, capacity: number, lastsMs: number): Promise<Measured[]> {
  const started = performance.now();
  const answers = await load(AbortSignal.timeout(lastsMs));
  const endOf = ({ at, ms }: Answer) => at + ms - started;
  const [found, refused] = [answersWith(answers, 200), answersWith(answers, 429)];
  const goodput = (found.filter((answer) => endOf(answer) <= lastsMs).length / lastsMs) * 1_000;
  const recovered = answers.reduce((last, answer) => Math.max(last, endOf(answer)), 0) - lastsMs;
  const others = answers.length - found.length - refused.length;
  return [
    row(
      `${FACTOR} times the capacity: at least ${GOODPUT_MIN * 100} % of the capacity is answered`,
      `${round(goodput)} of ${round(capacity)} a second; p50 and p95 ${timesOf(found)}`,
      goodput >= GOODPUT_MIN * capacity,
    ),
    row("all others get 429", `${refused.length} of ${answers.length}, ${others} otherwise`, others === 0),
    row(
      `within ${REFUSED_WITHIN_MS} ms (median)`,
      `p50 and p95 ${timesOf(refused)}`,
      percentiles(refused.map(({ ms }) => ms)).p50 <= REFUSED_WITHIN_MS,
    ),
    row(
      `all waiting questions are answered ${RECOVERED_WITHIN_MS / 1_000} s after the load`,
      `${round(recovered / 1_000)} s`,
      recovered <= RECOVERED_WITHIN_MS,
    ),
  ];
}

async function askBeside(load: Load, ask: () => Promise<Answer>): Promise<Measured> {
  const end = AbortSignal.timeout(BESIDE_MS);
  const [answers] = await Promise.all([sendSteadily(ask, QUESTIONS_BESIDE_PER_SECOND, end), load(end)]);
  const found = answersWith(answers, 200);
  return row(
    "every question of another company is answered beside it",
    `${found.length} of ${answers.length}; p50 and p95 ${timesOf(found)}`,
    found.length === answers.length,
  );
}

/** The asker must be new: a connection that has long been idle may be closed while a request is under way on it. */
async function stopUnderLoad(product: Product, tenant: Tenant, ask: Asker, perSecond: number): Promise<Measured[]> {
  const end = new AbortController();
  const sending = sendSteadily(() => ask(tenant), perSecond, end.signal);
  await setTimeout(BEFORE_STOP_MS);
  const began = performance.now();
  const stopped = product.stop().then(() => performance.now() - began);
  await setTimeout(AFTER_STOP_MS);
  end.abort();
  const answers = await sending;
  const tookMs = await stopped;
  const met = answers.filter(({ outcome }) => outcome !== "refused");
  const during = met.filter(({ at, ms }) => at + ms >= began);
  const failed = met.filter(({ outcome }) => outcome !== 200);
  return [
    row(
      "stopped at half of the capacity: every request that reached the server is answered",
      `${met.length - failed.length} of ${met.length}, ${during.length} of them while it stopped`,
      during.length > 0 && failed.length === 0,
    ),
    row(
      `stopped at half of the capacity: it has ended within ${STOPPED_WITHIN_MS / 1_000} s`,
      `${round(tookMs / 1_000)} s`,
      tookMs <= STOPPED_WITHIN_MS,
    ),
  ];
}

function answersWith(answers: Answer[], status: number): Answer[] {
  return answers.filter(({ outcome }) => outcome === status);
}

function timesOf(answers: Answer[]): string {
  const { p50, p95 } = percentiles(answers.map(({ ms }) => ms));
  return `${p50} and ${p95} ms`;
}
