/**
 * The scan of many vectors of 16-bit integers, as a WebAssembly module that is assembled here. In the text format, it is:
 *
 * (module (import "e" "m" (memory 1))
 *   (func (export "scan") (param $query i32) (param $row i32) (param $rows i32) (param $bytes i32) (param $out i32)
 *     (local $outEnd i32) (local $queryEnd i32) (local $q i32) (local $a v128) (local $b v128)
 *     (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
 *     (local.set $queryEnd (i32.add (local.get $query) (local.get $bytes)))
 *     (loop $each
 *       (local.set $q (local.get $query)) (local.set $a (v128.const 0)) (local.set $b (v128.const 0))
 *       (loop $step
 *         (local.set $a (i32x4.add (local.get $a)
 *           (i32x4.dot_i16x8_s (v128.load (local.get $q)) (v128.load (local.get $row)))))
 *         (local.set $b (i32x4.add (local.get $b)
 *           (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q)) (v128.load offset=16 (local.get $row)))))
 *         (local.set $row (i32.add (local.get $row) (i32.const 32)))
 *         (br_if $step (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 32))) (local.get $queryEnd))))
 *       (local.set $a (i32x4.add (local.get $a) (local.get $b)))
 *       (i32.store (local.get $out) (the sum of the 4 lanes of $a))
 *       (br_if $each (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 4))) (local.get $outEnd))))))
 */

/** A row takes a multiple of this, filled with zeros. */
export const ROW_ALIGNMENT_BYTES = 32;

type Code = number[];

const [QUERY, ROW, ROWS, BYTES, OUT, OUT_END, QUERY_END, Q, A, B] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const [I32, V128, EMPTY] = [0x7f, 0x7b, 0x40];

const get = (local: number): Code => [0x20, local];
const set = (local: number, value: Code): Code => [...value, 0x21, local];
const tee = (local: number, value: Code): Code => [...value, 0x22, local];
const constant = (value: number): Code => [0x41, value];
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
const shiftLeft = (a: Code, b: Code): Code => [...a, ...b, 0x74];
const lessThan = (a: Code, b: Code): Code => [...a, ...b, 0x49];
const ZEROS: Code = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
const load = (address: Code, offset: number): Code => [...address, 0xfd, 0x00, 2, offset];
const addLanes = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xae, 0x01];
const dotPairs = (a: Code, b: Code): Code => [...a, ...b, 0xfd, 0xba, 0x01];
const lane = (a: Code, index: number): Code => [...a, 0xfd, 0x1b, index];
const store = (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0];
/** Runs the body again while its last value is not zero. */
const loopWhile = (body: Code): Code => [0x03, EMPTY, ...body, 0x0d, 0, 0x0b];
const product = (offset: number) => dotPairs(load(get(Q), offset), load(get(ROW), offset));

const BODY: Code = [
  ...set(OUT_END, add(get(OUT), shiftLeft(get(ROWS), constant(2)))),
  ...set(QUERY_END, add(get(QUERY), get(BYTES))),
  ...loopWhile([
    ...set(Q, get(QUERY)),
    ...set(A, ZEROS),
    ...set(B, ZEROS),
    ...loopWhile([
      ...set(A, addLanes(get(A), product(0))),
      ...set(B, addLanes(get(B), product(16))),
      ...set(ROW, add(get(ROW), constant(ROW_ALIGNMENT_BYTES))),
      ...lessThan(tee(Q, add(get(Q), constant(ROW_ALIGNMENT_BYTES))), get(QUERY_END)),
    ]),
    ...set(A, addLanes(get(A), get(B))),
    ...store(get(OUT), add(add(lane(get(A), 0), lane(get(A), 1)), add(lane(get(A), 2), lane(get(A), 3)))),
    ...lessThan(tee(OUT, add(get(OUT), constant(4))), get(OUT_END)),
  ]),
  0x0b,
];

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function text(value: string): Code {
  return [value.length, ...Buffer.from(value)];
}

const LOCALS: Code = [2, 3, I32, 2, V128];

const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
  ...section(2, [1, ...text("e"), ...text("m"), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...text("scan"), 0, 0]),
  ...section(10, [1, ...unsigned(LOCALS.length + BODY.length), ...LOCALS, ...BODY]),
]);

/**
 * Writes the inner product of a query with each of some consecutive rows to consecutive places, as 32-bit integers. All
 * addresses are in bytes.
 */
type Scan = (query: number, row: number, rows: number, bytes: number, out: number) => void;

export function instantiateScan(memory: WebAssembly.Memory): Scan {
  const { scan } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { e: { m: memory } }).exports;
  if (typeof scan !== "function") throw new Error("the module exports no scan");
  return (query, row, rows, bytes, out) => void scan(query, row, rows, bytes, out);
}
