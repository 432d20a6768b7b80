import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { splitCitations, splitText } from "../components/split-text.ts";
import { contentWords } from "./language/tokens.ts";
import { cpuOf } from "./testing/cpu-time.ts";
import { HOSTILE_TEXTS } from "./testing/hostile-text.ts";
import { AI_COSTS } from "./testing/text-costs/ai-costs.ts";
import { type Costs, ofAnswer } from "./testing/text-costs/cost.ts";
import { EXEMPT } from "./testing/text-costs/exempt.ts";
import { TEXT_COSTS } from "./testing/text-costs/text-costs.ts";

const COSTS: Costs = {
  ...TEXT_COSTS,
  ...AI_COSTS,
  "components/split-text.ts": {
    splitText: ofAnswer((text) => splitText(text, /\[(\d{1,3})\]/g)),
    splitCitations: ofAnswer(splitCitations),
  },
};
/** CPU milliseconds. Less proves nothing. */
const FLOOR = 40;
/** For four times the length. Linear time grows 4 times, quadratic time 16 times. */
const GROWTH_MAX = 8;
const TRIES = 8;
/** Runs of a quarter that are measured as one. The clock ticks every 4 ms on some machines, so one run is too short. */
const QUARTERS = 4;
const REFERENCE_TEXT = "The customer's contract ends after 24 months. ".repeat(10_000);
const REFERENCE_MS = 12;

/** Files with text functions that run on the web server's event loop or in the worker. */
const COVERED =
  "lib/{*,ai/*,ai/local/*,language/*,retrieval/*,search-index/analyze,knowledge/chunk/*,knowledge/parse/*}.ts";
const TAKES_TEXT = /\bstring\b|ContextChunk\b|Block\[\]|ParsedDocument|AnswerInput/;

it("measures every function that takes text, or says why not", () => {
  const unknown = globSync(COVERED).flatMap((file) => {
    if (/\.test\.ts$/.test(file) || EXEMPT[file] || Object.keys(EXEMPT).some((name) => exempts(name, file))) return [];
    const source = readFileSync(file, "utf8");
    const exported = [...source.matchAll(/^export (?:async )?function\*? (\w+)(?:<.*?>)?\(([\s\S]*?)\)(?::| \{)/gm)];
    return exported
      .filter(([, , parameters = ""]) => TAKES_TEXT.test(parameters))
      .map(([, name = ""]) => ({ file, name }))
      .filter(({ name }) => !EXEMPT[`${name} of ${file}`])
      .filter(({ name }) => !Object.keys(COSTS[file] ?? {}).some((measured) => measured.split(" ")[0] === name))
      .map(({ name }) => `${name} of ${file}`);
  });
  expect(unknown).toEqual([]);
});

/** Whether a folder is exempt, except for its measured files. */
function exempts(name: string, file: string): boolean {
  return name.endsWith("/") && file.startsWith(name) && !(file in COSTS);
}

describe.each(Object.entries(COSTS))("the CPU time of %s", (_, functions) => {
  it.each(Object.entries(functions))(
    "%s grows with the length of its text, whatever the text is",
    async (__, cost) => {
      for (const [name, make] of Object.entries(HOSTILE_TEXTS)) {
        const { budget } = cost;
        // a short text first, so that quadratic time fails before it takes minutes
        for (const length of [cost.length / 16, cost.length]) {
          const text = make(length);
          const quarter = make(length / 4);
          let [growth, taken, quartersTaken, allowed] = [0, Infinity, Infinity, budget];
          const runQuarters = async () => {
            for (let run = 0; run < QUARTERS; run++) await cost.run(quarter);
          };
          // a busy machine only adds time, so the least of all tries counts
          for (let tries = 0; tries < TRIES; tries++) {
            taken = Math.min(taken, await cpuOf(() => cost.run(text)));
            quartersTaken = Math.min(quartersTaken, taken <= FLOOR ? Infinity : await cpuOf(runQuarters));
            growth = taken <= FLOOR ? 0 : taken / Math.max(quartersTaken / QUARTERS, FLOOR / GROWTH_MAX);
            allowed = taken <= budget ? budget : budget * (await slowness());
            if (growth < GROWTH_MAX && taken <= allowed) break;
          }
          expect(growth, `${length} characters of ${name}: ${taken} ms`).toBeLessThan(GROWTH_MAX);
          expect(taken, `milliseconds for ${length} characters of ${name}`).toBeLessThanOrEqual(allowed);
        }
      }
    },
    60_000,
  );
});

/** How many times slower this machine is now than the one that set the budgets, at least 1. */
async function slowness(): Promise<number> {
  return Math.max(1, (await cpuOf(() => contentWords(REFERENCE_TEXT, "en"))) / REFERENCE_MS);
}
