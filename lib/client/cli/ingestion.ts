import { PayloadTooLargeError, PermissionError, ValidationError } from "../errors.ts";
import type { AcceptedSource, Issue } from "../source-types.ts";
import type { RequestOptions } from "../transport.ts";
import { UnreadableFileError } from "./open-file.ts";

/** The state of an `ingest`. */
export interface Ingestion {
  options: RequestOptions;
  /** What the server accepted, by `sourceId`. */
  accepted: Map<string, AcceptedSource>;
  /** Chunks of the sources that did not have to be sent, by `sourceId`. */
  unchanged: Map<string, number>;
  failed: { path: string; reason: string }[];
  /** How many files the key's policy refused. */
  policyRefusals: number;
}

const ISSUES_SHOWN = 3;

export function record({ accepted }: Ingestion, sources: AcceptedSource[]): void {
  for (const source of sources) accepted.set(source.sourceId, source);
}

/** Why a file or a batch was not accepted. @throws every other error, because the next request would fail too */
export function refusalOf(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.message;
  if (error instanceof ValidationError || error instanceof PayloadTooLargeError) return error.message;
  if (isPolicyRefusal(error)) return error.message;
  throw error;
}

/** Lists a file that could not be read or that the server refused. @throws as `refusalOf` */
export function recordRefusal(ingestion: Ingestion, path: string, error: unknown): void {
  ingestion.failed.push({ path, reason: refusalOf(error) });
  if (isPolicyRefusal(error)) ingestion.policyRefusals++;
}

/** Whether the key's policy refused one source. A missing scope or an inactive subscription stops every request. */
function isPolicyRefusal(error: unknown): error is PermissionError {
  return error instanceof PermissionError && error.error === "Forbidden" && error.body.requiredScope === undefined;
}

export function reasonOf(issues: Issue[]): string {
  const named = issues.slice(0, ISSUES_SHOWN).map(({ path, message }) => `${path} ${message}`.trim());
  const more = issues.length > named.length ? `; and ${issues.length - named.length} more` : "";
  return named.join("; ").replace("Send widen=true to allow it.", "Repeat with --yes to allow this") + more;
}
