import { describe, expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import {
  blockOf,
  buildPostings,
  clearLive,
  emptyLive,
  isLive,
  LENGTH_OF_CODE,
  lengthCode,
  ordinalOf,
  SLOTS_PER_BLOCK,
  setLive,
  slotOf,
} from "./postings.ts";

const analyzed = (words: [number, number][], grams: [number, number][] = []) => ({
  words: new Map(words),
  grams: new Map(grams),
  wordLength: 10,
  gramLength: 50,
});

describe("ordinals", () => {
  test("block and slot convert to an ordinal and back", () => {
    fc.assert(
      fc.property(fc.nat(), (ordinal) => {
        expect(ordinalOf(blockOf(ordinal), slotOf(ordinal))).toBe(ordinal);
        expect(slotOf(ordinal)).toBeLessThan(SLOTS_PER_BLOCK);
      }),
    );
  });
});

describe("lengthCode", () => {
  test("is exact for short texts and within one token or 2 % for long ones", () => {
    for (let length = 0; length <= 26; length++) expect(LENGTH_OF_CODE[lengthCode(length)]).toBe(length);
    for (let length = 27; length < 9000; length += 7) {
      const decoded = LENGTH_OF_CODE[lengthCode(length)] ?? 0;
      expect(Math.abs(decoded - length)).toBeLessThanOrEqual(Math.max(1, length * 0.02));
    }
  });

  test("fits a byte for any length", () => {
    expect(lengthCode(10_000_000)).toBe(255);
  });
});

describe("buildPostings", () => {
  test("makes one list per term and block, with four bytes per chunk", () => {
    const lists = buildPostings([
      { ordinal: 3, analyzed: analyzed([[-7, 2]]) },
      { ordinal: 300, analyzed: analyzed([[-7, 1]], [[9, 400]]) },
      { ordinal: SLOTS_PER_BLOCK + 3, analyzed: analyzed([[-7, 1]]) },
    ]);
    const word = lengthCode(10);
    const gram = lengthCode(50);
    expect(lists).toEqual([
      { term: -7, block: 0, postings: Uint8Array.of(3, 0, 2, word, 300 & 255, 1, 1, word) },
      { term: 9, block: 0, postings: Uint8Array.of(300 & 255, 1, 255, gram) },
      { term: -7, block: 1, postings: Uint8Array.of(3, 0, 1, word) },
    ]);
  });
});

describe("live bitmap", () => {
  test("behaves as a set of slots", () => {
    const slot = fc.nat({ max: SLOTS_PER_BLOCK - 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), slot), { maxLength: 100 }), (changes) => {
        const live = emptyLive();
        const model = new Set<number>();
        for (const [on, slot] of changes) {
          (on ? setLive : clearLive)(live, slot);
          if (on) model.add(slot);
          else model.delete(slot);
        }
        expect(
          Array.from({ length: 8 * live.length }, (_, slot) => slot).filter((slot) => isLive(live, slot)),
        ).toHaveLength(model.size);
        for (const [, slot] of changes) expect(isLive(live, slot)).toBe(model.has(slot));
      }),
    );
  });
});
