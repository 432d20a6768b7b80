import { expect, it } from "vitest";
import { fc } from "../../testing/property.ts";
import { createArena, EXTENT_BYTES } from "./arena.ts";

it("computes inner products of any length", () => {
  const arena = createArena();
  const first = arena.allocate() ?? 0;
  arena.allocate();
  const number = fc.integer({ min: -1_000, max: 1_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 40 }),
      fc.infiniteStream(number),
      (length, rows, numbers) => {
        const vector = () => Int16Array.from(numbers.take(length));
        const rowBytes = Math.ceil((length * 2) / 32) * 32;
        const stored = Array.from({ length: rows }, vector);
        for (const [row, each] of stored.entries()) arena.write(first + row * rowBytes, each);
        const query = vector();
        const found = Array.from(arena.scan(query, first, rows, rowBytes));
        for (const [row, each] of stored.entries()) {
          const expected = each.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0);
          expect(found[row]).toBe(expected);
        }
      },
    ),
    { numRuns: 50 },
  );
});

it("uses freed extents again", () => {
  const arena = createArena();
  const [a, b] = [arena.allocate(), arena.allocate()];
  expect((b ?? 0) - (a ?? 0)).toBe(EXTENT_BYTES);
  arena.free([a ?? 0]);
  expect(arena.allocate()).toBe(a);
});
