import { expect, test } from "vitest";
import { z } from "zod";
import { cursorInput, encodeCursor } from "./cursor.ts";
import { instantTextInput } from "./instant.ts";

const input = cursorInput(z.tuple([instantTextInput, z.uuid()]));
const place: [string, string] = ["2026-11-21T09:30:00.123456Z", "6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11"];

test("a cursor returns its values", () => {
  const cursor = encodeCursor(place);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(input.parse(cursor)).toEqual(place);
});

const crafted = [[], ["2026", place[1]], ["0000-01-01T00:00:00Z", place[1]]].map(encodeCursor);

test.each(["", "x", "%00", ...crafted])("%s is refused", (cursor) => {
  const { error } = input.safeParse(cursor);
  expect(error?.issues[0]?.message).toBe("is not a cursor of this list: send nextCursor unchanged");
});
