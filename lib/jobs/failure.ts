import { messageOf } from "../errors.ts";
import { UnreadableFile } from "../knowledge/parse/document.ts";

/** What a failed attempt says of its job. */
export interface Failure {
  /** Trying again changes nothing: what was given cannot be read. */
  final: boolean;
  /** Kept with the job, for the operator. */
  reason: string;
  /** Kept with the version when the job is given up, for a person. */
  shown: string;
}

export function failureOf(error: unknown): Failure {
  const reason = messageOf(error);
  if (error instanceof UnreadableFile) return { final: true, reason, shown: reason };
  return { final: false, reason, shown: "It could not be processed. Try again; the log has the details." };
}
