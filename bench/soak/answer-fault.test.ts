import { expect, it } from "vitest";
import { answerFault, countedTexts } from "./answer-fault.ts";

const RESULTS = JSON.stringify({ results: [{ score: 1 }] });
const NO_RESULTS = JSON.stringify({ results: [] });

it.each<{ status: number; headers?: Record<string, string>; results: string | null; fault: string | null }>([
  { status: 200, results: RESULTS, fault: null },
  { status: 200, results: null, fault: null },
  { status: 200, results: NO_RESULTS, fault: "no results" },
  { status: 200, headers: { "X-Ragstone-Degraded": "embedding" }, results: RESULTS, fault: "degraded: embedding" },
  { status: 503, headers: { "Retry-After": "5" }, results: "{}", fault: null },
  { status: 503, results: "{}", fault: "503 without Retry-After" },
  { status: 500, results: "{}", fault: "status 500" },
])(
  "a response with $status, $headers and $results has the fault $fault",
  ({ status, headers = {}, results, fault }) => {
    expect(answerFault({ status, headers: new Headers(headers) }, results)).toBe(fault);
  },
);

it("counts equal texts", () => {
  expect(countedTexts(["no results", "status 500", "no results"])).toBe("2 × no results, 1 × status 500");
  expect(countedTexts([])).toBe("none");
});
