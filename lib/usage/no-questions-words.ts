import { USAGE_DAYS, type UsageFilter } from "./log-filter.ts";

/** Why a list has no questions although there were requests. */
export function noQuestionsWords({ hashQueries }: { hashQueries: boolean }): string {
  return hashQueries
    ? "No text to show: this company keeps hashes instead of questions."
    : "The log has no questions for this period.";
}

interface Answered {
  requests: number;
  errors: number;
  unanswered: number;
}

/** Why a list has no unanswered questions. */
export function noUnansweredWords(
  { requests, errors, unanswered }: Answered,
  company: { hashQueries: boolean },
): string {
  return unanswered === 0 && requests > errors ? "Every question was answered." : noQuestionsWords(company);
}

/** What to do when a company that has had requests has none that match: only what the filters leave to choose. */
export function noRequestsWords({ days, sender }: UsageFilter): string {
  const isLongest = days === Math.max(...USAGE_DAYS);
  if (sender !== null) return isLongest ? "Choose All requests." : "Choose All requests or a longer period.";
  return isLongest ? "Ask a question in the playground, or call the API with a key." : "Choose a longer period.";
}
