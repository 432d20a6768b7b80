import { expect, test } from "vitest";
import { takeNotices } from "./notify.ts";
import { notifyBulk } from "./notify-bulk.ts";

const WORDS = { success: "3 sources restored", nothing: "Nothing was restored" };

test("a change that reached all chosen sources has one line, and keeps what its caller adds", () => {
  notifyBulk({ done: 3, leftOut: 0 }, WORDS);
  notifyBulk({ done: 3, leftOut: 0 }, { ...WORDS, kind: "message", description: "For 24 hours." });
  expect(takeNotices()).toEqual([
    { kind: "success", text: "3 sources restored", description: "" },
    { kind: "message", text: "3 sources restored", description: "For 24 hours." },
  ]);
});

test("a change says how many sources it left out", () => {
  notifyBulk({ done: 3, leftOut: 1 }, { ...WORDS, description: "For 24 hours." });
  notifyBulk({ done: 3, leftOut: 1_200 }, { ...WORDS, reason: "had no ready answer" });
  expect(takeNotices()).toMatchObject([
    { description: "For 24 hours. 1 source was left out. It had changed or could not be saved." },
    { description: "1,200 sources were left out. They had no ready answer." },
  ]);
});

test("a change that reached no source is an error, and offers nothing", () => {
  const action = { label: "Undo", onClick: () => {} };
  notifyBulk({ done: 0, leftOut: 2 }, { ...WORDS, kind: "message", description: "For 24 hours.", action });
  expect(takeNotices()).toEqual([
    {
      kind: "error",
      text: "Nothing was restored",
      description: "2 sources were left out. They had changed or could not be saved.",
    },
  ]);
});
