import type { ServedState } from "../../db/served-content.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { log } from "../../log.ts";
import { singleton } from "../../singleton.ts";
import { sizesOf } from "../vector-search.ts";
import { createArena } from "./arena.ts";
import { CompanyIndex, estimateBytes } from "./company-index.ts";
import { readIndexed, readState } from "./load-index.ts";
import { refreshCaches, untilCachesRefreshed } from "./refresh-caches.ts";

/** Larger companies are searched by the database. */
const CHUNKS_MAX = 250_000;
/** A request waits for a load of at most this many new chunks. */
const AWAITED_CHUNKS_MAX = 512;
/** How long the database serves a company that could not be loaded. */
const PAUSE_MS = 60_000;
/** A company that was searched within this time is not removed for another: reading an index takes seconds. */
const KEPT_MS = 60_000;
/** How often a load catches up with changes made during the load. */
const ROUNDS_MAX = 5;

/** How the memory is used: for `/readyz`. */
interface IndexMemoryState {
  maxBytes: number;
  usedBytes: number;
  /** Searches that used memory, and those that the database answered. */
  hits: number;
  misses: number;
  loads: number;
}

interface Held {
  index: CompanyIndex;
  refreshing: Promise<boolean> | null;
  usedAt: number;
}

/** The indexes of the companies that were searched last, within one limit of bytes. */
export class IndexMemory {
  readonly #maxBytes: number;
  readonly #keptMs: number;
  readonly #arena = createArena();
  /** Least recently used first. */
  readonly #held = new Map<CompanyId, Held>();
  readonly #pausedUntil = new Map<CompanyId, number>();
  readonly #counts = { hits: 0, misses: 0, loads: 0 };
  /** One at a time, so that questions are answered in the meantime. */
  #loading: Promise<void> | null = null;

  constructor(maxBytes: number, { keptMs = KEPT_MS } = {}) {
    this.#maxBytes = maxBytes;
    this.#keptMs = keptMs;
  }

  /**
   * The company's index, refreshed to the given content. Null when the database must answer: before the first load,
   * after many changes, or when there is not enough memory.
   */
  async indexOf(scope: TenantScope, content: ServedState): Promise<CompanyIndex | null> {
    const held = this.#held.get(scope.companyId);
    if (!held) this.#startLoad(scope);
    const isCurrent = held && (await this.#bringTo(scope, held, content));
    // it may have been released for another company
    const isUsable = isCurrent && this.#held.get(scope.companyId) === held;
    this.#counts[isUsable ? "hits" : "misses"]++;
    if (!isUsable) return null;
    held.usedAt = Date.now();
    this.#held.delete(scope.companyId);
    this.#held.set(scope.companyId, held);
    this.#makeRoom(0, scope.companyId);
    return held.index;
  }

  state(): IndexMemoryState {
    return { maxBytes: this.#maxBytes, usedBytes: this.#usedBytes(), ...this.#counts };
  }

  /** Resolves when no index is being loaded and no caches are read again. */
  async untilLoaded(): Promise<void> {
    await Promise.all([this.#loading, untilCachesRefreshed()]);
  }

  /** Brings the index to this content or to later content. @returns whether the index is usable then */
  async #bringTo(scope: TenantScope, held: Held, content: ServedState): Promise<boolean> {
    const isCurrent = () => held.index.content?.stamp === content.stamp;
    if (isCurrent()) return true;
    // a refresh that runs already may be older than the request
    if (held.refreshing && !(await held.refreshing)) return false;
    if (isCurrent()) return true;
    held.refreshing ??= this.#refresh(scope, held).finally(() => {
      held.refreshing = null;
    });
    return (await held.refreshing) && isSameIndex(held.index.content, content);
  }

  /** @returns whether the index is usable now */
  async #refresh(scope: TenantScope, { index }: Held): Promise<boolean> {
    try {
      const state = await readState(scope);
      const before = index.content;
      // it was released for another company
      if (!before) return false;
      // the request has the stamp of an earlier content
      if (state.content.stamp === before.stamp) return true;
      this.#requireSize(state);
      const missing = index.missing(state.blocks);
      if (isSameIndex(before, state.content) && missing.length <= AWAITED_CHUNKS_MAX) {
        const added = await readIndexed(scope, state.content.model, missing);
        if (index.content !== before) return false;
        index.apply(state.content, state.blocks, added);
        refreshCaches(index, scope);
        return true;
      }
      this.#release(scope.companyId);
      this.#startLoad(scope);
    } catch (error) {
      this.#giveUp(scope.companyId, error);
    }
    return false;
  }

  #startLoad(scope: TenantScope): void {
    const isPaused = (this.#pausedUntil.get(scope.companyId) ?? 0) > Date.now();
    if (this.#maxBytes === 0 || this.#loading || isPaused) return;
    this.#loading = this.#load(scope).finally(() => {
      this.#loading = null;
    });
  }

  async #load(scope: TenantScope): Promise<void> {
    const index = new CompanyIndex(this.#arena);
    try {
      this.#counts.loads++;
      for (let round = 0; round < ROUNDS_MAX; round++) {
        const state = await readState(scope);
        const { content, blocks } = state;
        const bytes = this.#requireSize(state);
        if (!this.#hasRoom(bytes)) throw new Error("the memory is full of companies that are in use");
        if (index.content && !isSameIndex(index.content, content)) index.release();
        const missing = index.missing(blocks);
        if (index.content && missing.length === 0) break;
        this.#makeRoom(bytes - index.bytes);
        index.apply(content, blocks, await readIndexed(scope, content.model, missing));
      }
      this.#held.set(scope.companyId, { index, refreshing: null, usedAt: Date.now() });
      this.#makeRoom(0, scope.companyId);
    } catch (error) {
      index.release();
      this.#giveUp(scope.companyId, error);
    }
  }

  /** @returns the memory that the company takes @throws when it is too large, so that the database searches it */
  #requireSize({ content, blocks }: Awaited<ReturnType<typeof readState>>): number {
    const { live } = sizesOf(blocks);
    const bytes = estimateBytes({ live, blocks: blocks.length, dimensions: content.model?.dimensions ?? 0 });
    if (live > CHUNKS_MAX || bytes > this.#maxBytes) throw new Error("the company is larger than the memory");
    return bytes;
  }

  #giveUp(companyId: CompanyId, error: unknown): void {
    this.#release(companyId);
    this.#pausedUntil.set(companyId, Date.now() + PAUSE_MS);
    log().debug({ companyId, err: error }, "the database answers instead of an index in memory");
  }

  #release(companyId: CompanyId): void {
    this.#held.get(companyId)?.index.release();
    this.#held.delete(companyId);
  }

  /**
   * Makes room for `bytes` more: removes companies that were searched a while ago, then caches, then other companies, each
   * in the order of their last use, and never `kept`.
   */
  #makeRoom(bytes: number, kept?: CompanyId): void {
    const isEnough = () => this.#usedBytes() + bytes <= this.#maxBytes;
    // every search comes here
    if (isEnough()) return;
    const companies = [...this.#held];
    const release =
      ([id]: [CompanyId, Held]) =>
      () =>
        id !== kept && this.#release(id);
    const steps = [
      ...companies.filter(([, held]) => !this.#isInUse(held)).map(release),
      ...companies.map(
        ([, { index }]) =>
          () =>
            index.dropCaches(),
      ),
      ...companies.map(release),
    ];
    for (const makeSome of steps) {
      if (isEnough()) return;
      makeSome();
    }
  }

  /** Whether `bytes` fit beside the companies in use, without their caches. */
  #hasRoom(bytes: number): boolean {
    const inUse = [...this.#held.values()].filter((held) => this.#isInUse(held));
    return inUse.reduce((sum, { index }) => sum + index.bytesOfRows, bytes) <= this.#maxBytes;
  }

  #isInUse({ usedAt }: Held): boolean {
    return Date.now() - usedAt < this.#keptMs;
  }

  #usedBytes(): number {
    return [...this.#held.values()].reduce((sum, { index }) => sum + index.bytes, 0);
  }
}

/** Whether chunks and vectors that were read from the one content are valid in the other, where they are live. */
function isSameIndex(one: ServedState | null, other: ServedState): boolean {
  return one?.generation === other.generation && one.model?.id === other.model?.id;
}

const INDEX_MEMORY = singleton("indexMemory", () => new IndexMemory(env().indexMemoryMb * 1024 * 1024));

/** The memory of this process. */
export function indexMemory(): IndexMemory {
  return INDEX_MEMORY.get();
}

/** For processes that search now and then: their searches run in the database, so they take no memory for indexes. */
export function searchInDatabase(): void {
  setIndexMemory(new IndexMemory(0));
}

/** Replaces the memory, for tests. */
export function setIndexMemory(memory?: IndexMemory): void {
  INDEX_MEMORY.set(memory);
}
