/** Why a list has no questions although there were requests. */
export function noQuestionsWords({ hashQueries }: { hashQueries: boolean }): string {
  return hashQueries
    ? "No text to show: this company keeps hashes instead of questions."
    : "No questions are in the log for this period.";
}

interface Answered {
  requests: number;
  errors: number;
  unanswered: number;
}

/** Why a list has no questions without an answer. */
export function noUnansweredWords(
  { requests, errors, unanswered }: Answered,
  company: { hashQueries: boolean },
): string {
  return unanswered === 0 && requests > errors ? "Every question was answered." : noQuestionsWords(company);
}
