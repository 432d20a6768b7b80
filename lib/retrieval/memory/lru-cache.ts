/** A map that keeps to a number of bytes: the entries that were used longest ago leave first. */
export class LruCache<Key, Value> {
  readonly #entries = new Map<Key, { value: Value; bytes: number }>();
  readonly #maxBytes: number;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, bytes: number): void {
    this.#delete(key);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.bytes <= this.#maxBytes) return;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#entries.clear();
    this.bytes = 0;
  }

  #delete(key: Key): void {
    this.bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
