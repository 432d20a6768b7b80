import { afterEach, expect, test, vi } from "vitest";
import { setBackgroundMode } from "../../background-work.ts";
import { closeParsers, keepParser, takeParser } from "./child-processes.ts";

afterEach(() => {
  closeParsers();
  vi.useRealTimers();
});

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

test("the worker keeps one idle child for sources that come minutes apart, and ends the others soon", () => {
  vi.useFakeTimers();
  setBackgroundMode();
  const [kept, other] = [takeParser(), takeParser()];
  for (const parser of [kept, other]) keepParser(parser, "text");
  vi.advanceTimersByTime(4 * 60_000);
  expect(other.child.killed).toBe(true);
  expect(takeParser()).toBe(kept);
  keepParser(kept, "text");
  vi.advanceTimersByTime(5 * 60_000);
  expect(kept.child.killed).toBe(true);
});
