import { expect, test } from "vitest";
import { describePolicy } from "./describe-policy.ts";

test("a key without restrictions has no sentences", () => {
  expect(describePolicy({})).toEqual([]);
  expect(describePolicy({ sourceTypes: ["document", "qa"], answers: true })).toEqual([]);
});

test("each restriction is one sentence", () => {
  expect(
    describePolicy({
      audience: ["ai_agent", "copilot"],
      sourceTypes: ["qa"],
      path: ["Policies", "Contract"],
      contentCategory: ["legal"],
      limit: 5,
      answers: false,
    }),
  ).toEqual([
    "Only chunks for ai_agent or copilot",
    "Only questions and answers",
    "Only sources below Policies / Contract",
    "Only the category legal",
    "At most 5 results per request",
    "No AI answers, chunks only",
  ]);
  expect(describePolicy({ limit: 1 })).toEqual(["At most 1 result per request"]);
});

test("a key with an empty list finds nothing, whatever else it allows", () => {
  expect(describePolicy({ audience: [], limit: 5 })).toEqual(["Finds nothing: one of its lists is empty"]);
});
