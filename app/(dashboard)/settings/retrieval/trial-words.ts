import type { TrialOutcome } from "@/lib/db/stored-tests.ts";

/** Which settings are better, or that none are. */
export function verdictOf({ winner, better, worse }: TrialOutcome): string {
  if (winner === "proposed") return "The proposed settings are better";
  if (winner === "now") return "The saved settings are better";
  return better + worse === 0 ? "No test question changes" : "No significant difference";
}
