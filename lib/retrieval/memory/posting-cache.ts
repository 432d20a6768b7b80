import { LRUCache } from "lru-cache";
import type { PostingList } from "../../search-index/postings.ts";

/** Bytes of a cached entry beside its content, as a rule of thumb. */
export const ENTRY_BYTES = 200;
/** Terms that no chunk contains have little room, because each new question brings some that are never asked again. */
const CACHE_BYTES = { found: 32 << 20, absent: 2 << 20 };

/** The posting lists of terms that were asked for, also of terms that have none. */
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

  set(term: number, lists: PostingList[]): void {
    const size = lists.reduce((sum, list) => sum + list.postings.length + ENTRY_BYTES, ENTRY_BYTES);
    (lists.length > 0 ? this.#found : this.#absent).set(term, lists, { size });
  }

  clear(): void {
    this.#found.clear();
    this.#absent.clear();
  }
}
