import { LRUCache } from "lru-cache";
import { inSteps, STEPS } from "../../ai/round-vector.ts";
import type { ServedState } from "../../db/served-content.ts";
import type { VersionClues } from "../../language/versions.ts";
import { memoizeByObject } from "../../memoize-by-object.ts";
import type { Eligible } from "../../search-index/eligible.ts";
import { blockOf, isLive, ordinalOf, SLOTS_PER_BLOCK, slotOf } from "../../search-index/postings.ts";
import type { readBlocks } from "../../search-index/read-index.ts";
import type { ChunkRow, NearChunk } from "../queries.ts";
import { type Arena, EXTENT_BYTES } from "./arena.ts";
import { ROW_ALIGNMENT_BYTES } from "./kernel.ts";
import { PostingCache } from "./posting-cache.ts";

export type BlockRow = Awaited<ReturnType<typeof readBlocks>>[number];

/** What the index keeps of a live chunk. */
export interface LoadedChunk {
  ordinal: number;
  /** In steps; null when the serving model has none. */
  vector: Int16Array | null;
  /** A hash of the text. */
  text: number;
  clues: VersionClues;
}

interface CachedBefore {
  /** Terms whose posting lists were cached. */
  terms: number[];
  /** By ordinal. */
  chunks: number[];
}

/** The chunks of a block, by slot. */
interface Slots {
  known: Uint8Array;
  /** The row of the vector; -1 without one. */
  rows: Int32Array;
  texts: Int32Array;
  clues: (VersionClues | undefined)[];
}

const CACHE_BYTES = { eligible: 4 << 20, chunks: 16 << 20 };
/** After a change of content, at most this many are read again. */
const CACHED_BEFORE_MAX = { terms: 2_000, chunks: 500 };
/** A block with its bitmap and its slots. */
const BLOCK_BYTES = SLOTS_PER_BLOCK * 18;

/** The memory that an index of this size takes, without its caches. */
export function estimateBytes({
  live,
  blocks,
  dimensions,
}: {
  live: number;
  blocks: number;
  dimensions: number;
}): number {
  return live * rowBytesOf(dimensions) + blocks * BLOCK_BYTES + EXTENT_BYTES;
}

/** @param product an inner product in steps */
export function cosineFromSteps(product: number): number {
  return product / (STEPS.question * STEPS.chunk);
}

/** A question is compared several times, and asked again. */
const questionInSteps = memoizeByObject((vector: Float32Array) => inSteps(vector, STEPS.question));

function rowBytesOf(dimensions: number): number {
  return Math.ceil((dimensions * 2) / ROW_ALIGNMENT_BYTES) * ROW_ALIGNMENT_BYTES;
}

/** A company's index at one moment: its blocks and the live chunks. Parts that were asked for are cached beside it. */
export class CompanyIndex {
  /** What the index was made from; null before the first `apply`. */
  content: ServedState | null = null;
  blocks: BlockRow[] = [];
  /** Valid until a chunk becomes live: the lists of live chunks do not change. */
  readonly postings = new PostingCache();
  /** Valid for one stamp, like the next one. */
  readonly eligible = new LRUCache<string, Eligible>({ maxSize: CACHE_BYTES.eligible });
  /** What is being read for `eligible`, by stamp and filters. */
  readonly eligibleReads = new Map<string, Promise<Eligible | null>>();
  readonly chunks = new LRUCache<number, ChunkRow>({ maxSize: CACHE_BYTES.chunks });
  /** What was cached before the last change, the last used first. Each change makes a new object. */
  cachedBefore: CachedBefore = { terms: [], chunks: [] };
  readonly #arena: Arena;
  readonly #slots = new Map<number, Slots>();
  readonly #extents: number[] = [];
  readonly #unusedRows: number[] = [];
  #rowCount = 0;
  #rowBytes = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  get bytes(): number {
    const caches = this.postings.bytes + this.eligible.calculatedSize + this.chunks.calculatedSize;
    return this.bytesOfRows + caches;
  }

  /** Without caches. */
  get bytesOfRows(): number {
    return this.#extents.length * EXTENT_BYTES + this.#slots.size * BLOCK_BYTES;
  }

  /** The live chunks of these blocks that the index does not have. */
  missing(blocks: BlockRow[]): number[] {
    return blocks.flatMap(({ block, live }) => {
      const known = this.#slots.get(block)?.known;
      return slotsWhere((slot) => isLive(live, slot) && !known?.[slot]).map((slot) => ordinalOf(block, slot));
    });
  }

  /**
   * Brings the index to another moment: removes chunks that are no longer live and adds those that were missing.
   * @throws when the memory for vectors is full
   */
  apply(content: ServedState, blocks: BlockRow[], added: LoadedChunk[]): void {
    this.content = content;
    this.blocks = blocks;
    this.#rowBytes = rowBytesOf(content.model?.dimensions ?? 0);
    const liveOf = new Map(blocks.map((row) => [row.block, row.live]));
    for (const [block, slots] of this.#slots) this.#removeDead(block, slots, liveOf.get(block));
    for (const chunk of added) this.#add(chunk);
    const terms = new Set([...this.postings.terms(), ...this.cachedBefore.terms]);
    const chunks = new Set([...this.chunks.keys(), ...this.cachedBefore.chunks]);
    const live = [...chunks].filter((ordinal) => this.text(ordinal) !== undefined);
    if (added.length > 0) this.postings.clear();
    this.eligible.clear();
    this.chunks.clear();
    this.cachedBefore = {
      terms: [...terms].slice(0, CACHED_BEFORE_MAX.terms),
      chunks: live.slice(0, CACHED_BEFORE_MAX.chunks),
    };
  }

  dropCaches(): void {
    this.cachedBefore = { terms: [], chunks: [] };
    for (const cache of [this.postings, this.eligible, this.chunks]) cache.clear();
  }

  release(): void {
    this.#arena.free(this.#extents.splice(0));
    this.#rowCount = 0;
    this.#unusedRows.length = 0;
    this.#slots.clear();
    this.dropCaches();
    this.content = null;
  }

  text(ordinal: number): number | undefined {
    const slots = this.#slots.get(blockOf(ordinal));
    return slots?.known[slotOf(ordinal)] ? slots.texts[slotOf(ordinal)] : undefined;
  }

  clues(ordinal: number): VersionClues | undefined {
    return this.#slots.get(blockOf(ordinal))?.clues[slotOf(ordinal)];
  }

  /** The cosines of those of these chunks that have a vector. */
  cosines(vector: Float32Array, ordinals: number[]): NearChunk[] {
    const query = questionInSteps(vector);
    return ordinals.flatMap((ordinal) => {
      const row = this.#slots.get(blockOf(ordinal))?.rows[slotOf(ordinal)] ?? -1;
      if (row < 0) return [];
      return {
        ordinal,
        cosine: cosineFromSteps(this.#arena.scan(query, this.#addressOf(row), 1, this.#rowBytes)[0] ?? 0),
      };
    });
  }

  /** The inner products with all rows, in steps, by row. */
  scanAll(vector: Float32Array): Int32Array {
    const query = questionInSteps(vector);
    const products = new Int32Array(this.#rowCount);
    const perExtent = Math.floor(EXTENT_BYTES / this.#rowBytes);
    for (const [index, extent] of this.#extents.entries()) {
      const rows = Math.min(perExtent, this.#rowCount - index * perExtent);
      if (rows > 0)
        products.set(this.#arena.scan(query, extent, rows, this.#rowBytes).subarray(0, rows), index * perExtent);
    }
    return products;
  }

  /** The rows of a block's vectors, by slot; -1 without one. */
  rowsOf(block: number): Int32Array | undefined {
    return this.#slots.get(block)?.rows;
  }

  #removeDead(block: number, slots: Slots, live: Uint8Array | undefined): void {
    for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) {
      if (!slots.known[slot] || (live && isLive(live, slot))) continue;
      const row = slots.rows[slot] ?? -1;
      if (row >= 0) this.#unusedRows.push(row);
      slots.rows[slot] = -1;
      slots.known[slot] = 0;
      slots.clues[slot] = undefined;
    }
    if (!live) this.#slots.delete(block);
  }

  #add({ ordinal, vector, text, clues }: LoadedChunk): void {
    const [block, slot] = [blockOf(ordinal), slotOf(ordinal)];
    const slots = this.#slots.get(block) ?? emptySlots();
    this.#slots.set(block, slots);
    slots.known[slot] = 1;
    slots.texts[slot] = text;
    slots.clues[slot] = clues;
    if (vector) slots.rows[slot] = this.#store(vector);
  }

  #store(vector: Int16Array): number {
    const row = this.#unusedRows.pop() ?? this.#rowCount++;
    const address = this.#addressOf(row);
    this.#arena.write(address, vector);
    return row;
  }

  #addressOf(row: number): number {
    const perExtent = Math.floor(EXTENT_BYTES / this.#rowBytes);
    const index = Math.floor(row / perExtent);
    const known = this.#extents[index];
    const extent = known ?? this.#arena.allocate();
    if (extent === null) throw new Error("the memory for vectors is full");
    if (known === undefined) this.#extents.push(extent);
    return extent + (row % perExtent) * this.#rowBytes;
  }
}

function emptySlots(): Slots {
  return {
    known: new Uint8Array(SLOTS_PER_BLOCK),
    rows: new Int32Array(SLOTS_PER_BLOCK).fill(-1),
    texts: new Int32Array(SLOTS_PER_BLOCK),
    clues: new Array<VersionClues | undefined>(SLOTS_PER_BLOCK),
  };
}

function slotsWhere(test: (slot: number) => boolean): number[] {
  const found: number[] = [];
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot++) if (test(slot)) found.push(slot);
  return found;
}
