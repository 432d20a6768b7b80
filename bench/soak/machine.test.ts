import { expect, it, vi } from "vitest";
import { broken, chosenParts, reportRows, row, skipped } from "./machine.ts";

const PARTS = ["embedded", "server", "full disk"];
const nameOf = (name: string) => name;

it("chooses all parts, or those that are named", () => {
  expect(chosenParts(PARTS, nameOf)).toEqual(PARTS);
  expect(chosenParts(PARTS, nameOf, "disk")).toEqual(["full disk"]);
});

it("refuses a name that no part has, and lists the names", () => {
  expect(() => chosenParts(PARTS, nameOf, "postgres")).toThrow(
    "No part is named like --only postgres. The parts: embedded, server, full disk.",
  );
});

it("tells a skipped part from a kept promise", () => {
  const say = vi.fn();
  reportRows(say, [
    row("a", "1", true),
    row("b", "2", false),
    skipped("c", "no disk"),
    broken("d", new Error("stuck")),
  ]);
  expect(say.mock.calls.flat()).toEqual([
    "kept: a: 1",
    "NOT KEPT: b: 2",
    "skipped: c: not checked: no disk",
    "NOT KEPT: d: the check runs to its end: stuck",
  ]);
});
