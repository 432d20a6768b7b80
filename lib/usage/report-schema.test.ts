import { expect, test } from "vitest";
import { reportAnswerInput } from "./report-schema.ts";

test("a verified answer of any length can be reported, and only its beginning is kept", () => {
  const report = { requestId: "6f1c1d6e-7a0b-4f7e-9d57-1f3f8f0c2b11", question: "How long?", note: "" };
  const answer = "Thirty days. ".repeat(10_000);
  expect(reportAnswerInput.parse({ ...report, answer }).answer).toBe(`${answer.slice(0, 19_999)}…`);
  expect(reportAnswerInput.parse({ ...report, answer: "Thirty days [1]." }).answer).toBe("Thirty days [1].");
});
