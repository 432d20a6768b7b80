import type { CompanyId } from "../db/tenant.ts";

/**
 * Limits how much work each company runs at the same time, lets companies that used less time go first, and pauses a
 * company that uses much more than another.
 */
interface CompanyQueue {
  /**
   * Runs the work now, or later when it is not the company's turn.
   * @throws the reason of the signal if it is aborted before the work starts
   */
  run<Result>(companyId: CompanyId, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** The milliseconds that the company's first waiting work has waited, and an estimate for work that comes now. */
  queueOf(companyId: CompanyId): { waitedMs: number; expectedMs: number };
  /** Resolves when nothing runs, but after `mostMs` at the latest. */
  untilQuiet(mostMs: number): Promise<void>;
  /** Whether anything runs or has run in the last `ms` milliseconds. */
  ranWithin(ms: number): boolean;
}

interface CompanyQueueOptions {
  /** How many pieces of work one company runs at the same time. */
  atOnce: number;
  /** The same limit while a company that used less time is active. */
  atOnceBesideOthers: number;
  /** Maximum time that work waits for companies that used less time. */
  yieldMaxMs: number;
  /** Maximum time that a company pauses after work, if it used much more time than another; 0 for no pause. */
  pauseMaxMs: number;
  /** Milliseconds of a steady clock. */
  now?: () => number;
}

interface Waiting {
  start(): void;
  since: number;
}

interface Company {
  running: number;
  waiting: Set<Waiting>;
  /** Number of pauses that have not ended. Until then, none of its work starts. */
  pauses: number;
  /** Milliseconds of past work at the time `asOf`. They count half after `HALF_LIFE_MS`. */
  usedMs: number;
  asOf: number;
  /** Moving average of the time from one end of work to the next, without idle time. */
  intervalMs: number;
}

const HALF_LIFE_MS = 5_000;
/** Weight of the last interval in the moving average. */
const INTERVAL_WEIGHT = 0.1;
/** Companies whose use differs by less than this are equal. */
const TOLERANCE_MS = 100;
/** What a request takes besides its search, in this process and in the database: it is read, checked, logged and sent. */
const AROUND_SEARCH_MS = 4;
/** A timer may end this much before its time, and then nothing would start the work. */
const TIMER_EARLY_MS = 1;
/** A company pauses when it used more than this many times the time of another active one. */
const USE_RATIO_MAX = 2;
/** A company is active while its work runs or waits, and for this long after. */
const ACTIVE_MS = 1_000;

/**
 * Shares one processor between companies, like start-time fair queueing (Goyal, Vin and Cheng 1996): a search starts
 * only while no company that recently used less time has one running. So a question waits for little more than the
 * running searches, however many questions another company asks. The requests around these searches still take the
 * process, so a company that used much more time pauses after each search for as long as its request took.
 */
export function companyQueue(options: CompanyQueueOptions): CompanyQueue {
  const { atOnce, atOnceBesideOthers, yieldMaxMs, pauseMaxMs, now = () => performance.now() } = options;
  const companies = new Map<CompanyId, Company>();
  const quiet = new Set<() => void>();
  let lastEnd = Number.NEGATIVE_INFINITY;

  const used = ({ usedMs, asOf }: Company) => usedMs * 2 ** ((asOf - now()) / HALF_LIFE_MS);

  const isActive = ({ running, waiting, asOf }: Company) => running > 0 || waiting.size > 0 || now() - asOf < ACTIVE_MS;

  const newCompany = (): Company => ({
    running: 0,
    waiting: new Set(),
    pauses: 0,
    usedMs: 0,
    asOf: now(),
    intervalMs: 0,
  });

  function mayStart(company: Company, { since }: Waiting): boolean {
    if (company.pauses > 0) return false;
    const lighter = [...companies.values()].filter(
      (other) => isActive(other) && used(other) + TOLERANCE_MS < used(company),
    );
    if (company.running >= (lighter.length > 0 ? atOnceBesideOthers : atOnce)) return false;
    return !lighter.some(({ running }) => running > 0) || now() - since >= yieldMaxMs;
  }

  /** Starts the work that may start, for the companies that used least first. */
  function startWaiting(): void {
    const waiting = [...companies.values()].filter((company) => company.waiting.size > 0);
    for (const company of waiting.sort((a, b) => used(a) - used(b))) {
      for (const next of company.waiting) {
        if (!mayStart(company, next)) break;
        company.waiting.delete(next);
        company.running++;
        next.start();
      }
    }
  }

  async function takeTurn(company: Company, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { start, since: now() };
    const leave = () => {
      company.waiting.delete(waiting);
      reject(signal?.reason);
    };
    company.waiting.add(waiting);
    startWaiting();
    const timer = company.waiting.has(waiting) && setTimeout(startWaiting, yieldMaxMs + TIMER_EARLY_MS);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
      if (timer) clearTimeout(timer);
    }
  }

  function endTurn(company: Company, { asked, started }: { asked: number; started: number }): void {
    const tookMs = now() - started + AROUND_SEARCH_MS;
    company.intervalMs += (now() - Math.max(asked, company.asOf) - company.intervalMs) * INTERVAL_WEIGHT;
    company.usedMs = used(company) + tookMs;
    company.asOf = now();
    company.running--;
    lastEnd = now();
    const pauseMs = Math.min(tookMs, pauseMaxMs);
    if (pauseMs > 0 && usedMuchMore(company)) pause(company, pauseMs);
    for (const [id, other] of companies) {
      if (other.running === 0 && other.waiting.size === 0 && used(other) < 1) companies.delete(id);
    }
    startWaiting();
    if (isQuiet()) for (const resolve of quiet) resolve();
  }

  function usedMuchMore(company: Company): boolean {
    return [...companies.values()].some(
      (other) => isActive(other) && USE_RATIO_MAX * used(other) + TOLERANCE_MS < used(company),
    );
  }

  function pause(company: Company, ms: number): void {
    company.pauses++;
    setTimeout(() => {
      company.pauses--;
      startWaiting();
    }, ms);
  }

  function isQuiet(): boolean {
    return [...companies.values()].every(({ running }) => running === 0);
  }

  return {
    async run(companyId, work, signal) {
      signal?.throwIfAborted();
      const company = companies.get(companyId) ?? newCompany();
      companies.set(companyId, company);
      const asked = now();
      await takeTurn(company, signal);
      const started = now();
      try {
        return await work();
      } finally {
        endTurn(company, { asked, started });
      }
    },
    queueOf(companyId) {
      const { waiting, intervalMs } = companies.get(companyId) ?? newCompany();
      const [first] = waiting;
      return { waitedMs: first ? now() - first.since : 0, expectedMs: waiting.size * intervalMs };
    },
    async untilQuiet(mostMs) {
      if (isQuiet()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      quiet.add(resolve);
      const timer = setTimeout(resolve, mostMs);
      await promise;
      quiet.delete(resolve);
      clearTimeout(timer);
    },
    ranWithin: (ms) => !isQuiet() || now() - lastEnd < ms,
  };
}
