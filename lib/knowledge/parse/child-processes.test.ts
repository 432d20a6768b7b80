import { afterEach, expect, test } from "vitest";
import { closeParsers, keepParser, takeParser } from "./child-processes.ts";

afterEach(closeParsers);

/** The number of children that read this many one after another. */
function childrenFor(read: "file" | "text", count: number): number {
  const pids = Array.from({ length: count }, () => {
    const parser = takeParser();
    keepParser(parser, read);
    return parser.child.pid;
  });
  return new Set(pids).size;
}

test("a child reads 10,000 texts, because starting another takes longer than reading them", () => {
  expect(childrenFor("text", 10_001)).toBe(2);
});

test("a child is replaced after some hundred files, whose libraries may keep memory", () => {
  expect(childrenFor("file", 401)).toBe(3);
});
