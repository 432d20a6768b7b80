import { expect, test } from "vitest";
import { fc } from "../testing/property.ts";
import { nameList, serverTiming } from "./headers.ts";

test("Server-Timing has one entry per stage", () => {
  expect(serverTiming({ embed: 2.345, search: 10 })).toEqual({ "Server-Timing": "embed;dur=2.3, search;dur=10.0" });
  expect(serverTiming({})).toEqual({});
});

test("an empty list has no header", () => {
  expect(nameList("X-Names", ["a", "b"])).toEqual({ "X-Names": "a, b" });
  expect(nameList("X-Names", [])).toEqual({});
});

test("a list of names is a short, valid header, whatever the names are", () => {
  const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
  const name = fc.oneof(
    fc.string({ unit, minLength: 1, maxLength: 150 }),
    fc.constantFrom("a,b", "x\r\ny: z", "\ud800", "ключ"),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (names) => {
      const value = nameList("X-Names", names)["X-Names"] ?? "";
      expect(value.length).toBeLessThanOrEqual(1_024);
      expect(new Headers({ "X-Names": value }).get("x-names")).toBe(value);
      const more = Number(/(?:^|, )and (\d+) more$/.exec(value)?.[1] ?? 0);
      const shown = value.replace(/(?:^|, )and \d+ more$/, "");
      expect((shown === "" ? 0 : shown.split(", ").length) + more).toBe(names.length);
    }),
    { numRuns: 50 },
  );
  expect(nameList("X-Names", ["a, b", "é"])).toEqual({ "X-Names": "a%2C%20b, %C3%A9" });
});
