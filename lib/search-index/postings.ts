import type { AnalyzedChunk } from "./analyze.ts";

/** A block holds chunks of one company in one language. */
export const SLOTS_PER_BLOCK = 4096;
export const POSTING_BYTES = 4;
const LIVE_BITMAP_BYTES = SLOTS_PER_BLOCK / 8;

const TF_MAX = 255;
const LENGTH_CODE_MAX = 255;
const LENGTH_CODES_PER_E = 28;

/** The length in tokens that each code stands for: exact up to 26, then within one token or 2 %, at most 9,000. */
export const LENGTH_OF_CODE: Float64Array = Float64Array.from({ length: LENGTH_CODE_MAX + 1 }, (_, code) =>
  Math.round(Math.expm1(code / LENGTH_CODES_PER_E)),
);

export function lengthCode(length: number): number {
  return Math.min(LENGTH_CODE_MAX, Math.round(Math.log1p(length) * LENGTH_CODES_PER_E));
}

export function blockOf(ordinal: number): number {
  return Math.floor(ordinal / SLOTS_PER_BLOCK);
}

export function slotOf(ordinal: number): number {
  return ordinal % SLOTS_PER_BLOCK;
}

export function ordinalOf(block: number, slot: number): number {
  return block * SLOTS_PER_BLOCK + slot;
}

/** A row of the index: the postings of a term in a block, 4 bytes each (slot u16 LE, tf u8, length code u8). */
export interface PostingList {
  term: number;
  block: number;
  postings: Uint8Array;
}

/** The slot of a posting that was read as one little-endian 32-bit word. The next functions read and change its other parts. */
export function slotIn(posting: number): number {
  return posting & 0xffff;
}

export function tfIn(posting: number): number {
  return (posting >>> 16) & 0xff;
}

export function lengthCodeIn(posting: number): number {
  return posting >>> 24;
}

/** A posting of the same chunk with a higher term frequency. */
export function withMore(posting: number, frequency: number): number {
  const tf = Math.min(TF_MAX, tfIn(posting) + frequency);
  return ((posting & 0xff00ffff) | (tf << 16)) >>> 0;
}

/** The postings of a batch of chunks, one list per term and block, ready to append to the stored lists. */
export function buildPostings(chunks: Iterable<{ ordinal: number; analyzed: AnalyzedChunk }>): PostingList[] {
  const blocks = new Map<number, Map<number, number[]>>();
  for (const { ordinal, analyzed } of chunks) {
    const lists = getOrAdd(blocks, blockOf(ordinal), () => new Map<number, number[]>());
    const slot = slotOf(ordinal);
    append(lists, slot, analyzed.words, lengthCode(analyzed.wordLength));
    append(lists, slot, analyzed.grams, lengthCode(analyzed.gramLength));
  }
  return [...blocks].flatMap(([block, lists]) =>
    [...lists].map(([term, bytes]) => ({ term, block, postings: Uint8Array.from(bytes) })),
  );
}

/** A copy of a list with the postings of the kept slots only. */
export function onlySlots(postings: Uint8Array, kept: (slot: number) => boolean): Uint8Array {
  const remaining = new Uint8Array(postings.length);
  let length = 0;
  for (let i = 0; i < postings.length; i += POSTING_BYTES) {
    const posting = postings.subarray(i, i + POSTING_BYTES);
    if (!kept((posting[0] ?? 0) | ((posting[1] ?? 0) << 8))) continue;
    remaining.set(posting, length);
    length += POSTING_BYTES;
  }
  return remaining.subarray(0, length);
}

function append(lists: Map<number, number[]>, slot: number, counts: ReadonlyMap<number, number>, code: number): void {
  for (const [term, tf] of counts) {
    getOrAdd(lists, term, () => []).push(slot & 0xff, slot >> 8, Math.min(tf, TF_MAX), code);
  }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/** A bitmap without live slots. */
export function emptyLive(): Uint8Array {
  return new Uint8Array(LIVE_BITMAP_BYTES);
}

export function setLive(live: Uint8Array, slot: number): void {
  live[slot >> 3] = (live[slot >> 3] ?? 0) | (1 << (slot & 7));
}

export function clearLive(live: Uint8Array, slot: number): void {
  live[slot >> 3] = (live[slot >> 3] ?? 0) & ~(1 << (slot & 7));
}

export function isLive(live: Uint8Array, slot: number): boolean {
  return ((live[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
}
