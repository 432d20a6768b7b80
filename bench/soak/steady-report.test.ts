import { expect, it } from "vitest";
import type { ProcessRole } from "./process-samples.ts";
import { processDeaths, tableSizes } from "./steady-report.ts";

const PROCESSES = new Map<number, ProcessRole>([
  [10, "web"],
  [11, "worker"],
  [12, "database"],
]);

it("keeps its promise while every process runs on", () => {
  expect(processDeaths({ processes: { before: PROCESSES, after: PROCESSES }, output: "" }).kept).toBe(true);
});

it("names a process that was restarted with another id", () => {
  const after = new Map(PROCESSES).set(13, "worker");
  after.delete(11);
  const { kept, measured } = processDeaths({ processes: { before: PROCESSES, after }, output: "" });
  expect({ kept, measured }).toEqual({
    kept: false,
    measured: "3 processes; ended: 1 × worker; 0 restarts in the log",
  });
});

it("counts the restarts that the supervisor logged", () => {
  const output =
    "The worker ended (SIGKILL). Restarting in 0.5 s.\nThe embedded database ended (1). Restarting in 1 s.";
  const { kept, measured } = processDeaths({ processes: { before: PROCESSES, after: PROCESSES }, output });
  expect({ kept, measured }).toEqual({ kept: false, measured: "3 processes; ended: none; 2 restarts in the log" });
});

const MEGABYTE = 1_048_576;
const sample = (tables: [name: string, live: number, megabytes: number][]) => ({
  at: 0,
  processes: {},
  connections: 1,
  jobs: 0,
  tables: tables.map(([name, live, megabytes]) => ({ name, live, dead: 0, bytes: megabytes * MEGABYTE })),
});

it.each([
  { what: "a log that grows with its rows", middle: [1_000, 10], last: [50_000, 500], kept: true },
  { what: "a small table", middle: [10, 0.1], last: [10, 3], kept: true },
  { what: "a table that keeps the space of deleted rows", middle: [1_000, 10], last: [1_000, 25], kept: false },
] as const)("judges $what: $kept", ({ middle, last, kept }) => {
  const samples = [sample([]), sample([["chunks", ...middle]]), sample([["chunks", ...last]])];
  expect(tableSizes({ samples, minutes: 60 }).kept).toBe(kept);
});

it("judges no run without a sample", () => {
  expect(tableSizes({ samples: [], minutes: 60 }).kept).toBe(false);
});
