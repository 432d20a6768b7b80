import { instantiateScan } from "./kernel.ts";

const PAGE_BYTES = 65_536;
/** Vectors are stored in extents of this size, so that freed memory fits any other company. */
export const EXTENT_BYTES = 4 * PAGE_BYTES;
/** WebAssembly addresses have 32 bits. */
const ADDRESSABLE_BYTES = 2 ** 32;

/** Vectors of all companies, in one WebAssembly memory, which never shrinks: freed extents are used again. */
export interface Arena {
  /** The address of a new extent; null when the memory is full. */
  allocate(): number | null;
  free(extents: number[]): void;
  write(address: number, vector: Int16Array): void;
  /**
   * The inner products of the vector with `rows` consecutive rows of `rowBytes`, at the start of the result, which is
   * valid until the next scan.
   */
  scan(vector: Int16Array, address: number, rows: number, rowBytes: number): Int32Array;
}

export function createArena(): Arena {
  // the first extent holds the query, the second the results of one extent of the shortest rows
  const memory = new WebAssembly.Memory({ initial: (2 * EXTENT_BYTES) / PAGE_BYTES });
  const scan = instantiateScan(memory);
  const unused: number[] = [];
  let numbers = new Int16Array(memory.buffer);
  let products = productsOf(memory);
  let query: Int16Array | undefined;

  function allocate(): number | null {
    const known = unused.pop();
    if (known !== undefined) return known;
    const address = memory.buffer.byteLength;
    if (address + EXTENT_BYTES >= ADDRESSABLE_BYTES) return null;
    try {
      memory.grow(EXTENT_BYTES / PAGE_BYTES);
    } catch {
      return null;
    }
    numbers = new Int16Array(memory.buffer);
    products = productsOf(memory);
    return address;
  }

  return {
    allocate,
    free: (extents) => void unused.push(...extents),
    write: (address, vector) => numbers.set(vector, address / 2),
    scan(vector, address, rows, rowBytes) {
      if (vector !== query) {
        numbers.fill(0, 0, rowBytes / 2);
        numbers.set(vector, 0);
        query = vector;
      }
      scan(0, address, rows, rowBytes, EXTENT_BYTES);
      return products;
    },
  };
}

function productsOf({ buffer }: WebAssembly.Memory): Int32Array {
  return new Int32Array(buffer, EXTENT_BYTES, EXTENT_BYTES / Int32Array.BYTES_PER_ELEMENT);
}
