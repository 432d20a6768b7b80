import { LRUCache } from "lru-cache";
import type { PostingList } from "../../search-index/postings.ts";

/** Bytes of a cached entry beside its content, as a rule of thumb. */
export const ENTRY_BYTES = 200;
/** Terms that no chunk contains have little room, because each new question brings some that are never asked again. */
const CACHE_BYTES = { found: 32 << 20, absent: 2 << 20 };

/** A list that takes more is only read when a question needs it. */
const LONG_BYTES = 16 << 10;

/** The posting lists of terms that were asked for, including terms that have none. */
export class PostingCache {
  readonly #found = new LRUCache<number, PostingList[]>({ maxSize: CACHE_BYTES.found });
  readonly #absent = new LRUCache<number, PostingList[]>({ maxSize: CACHE_BYTES.absent });

  get bytes(): number {
    return this.#found.calculatedSize + this.#absent.calculatedSize;
  }

  /** @returns undefined for a term that is not cached */
  get(term: number): PostingList[] | undefined {
    return this.#found.get(term) ?? this.#absent.get(term);
  }

  has(term: number): boolean {
    return this.#found.has(term) || this.#absent.has(term);
  }

  /** The cached terms, without those of long lists: first those that some chunk contains, each group the last used first. */
  terms(): number[] {
    const short = [...this.#found].filter(([, lists]) => sizeOf(lists) <= LONG_BYTES).map(([term]) => term);
    return [...short, ...this.#absent.keys()];
  }

  set(term: number, lists: PostingList[]): void {
    (lists.length > 0 ? this.#found : this.#absent).set(term, lists, { size: sizeOf(lists) });
  }

  clear(): void {
    this.#found.clear();
    this.#absent.clear();
  }
}

function sizeOf(lists: PostingList[]): number {
  return lists.reduce((sum, list) => sum + list.postings.length + ENTRY_BYTES, ENTRY_BYTES);
}
