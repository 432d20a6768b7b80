import { isProviderError, type ProviderFailure } from "../ai/remote/provider-error.ts";
import { messageOf } from "../errors.ts";
import { CompanyGone, LeaseLost } from "../jobs/work-scope.ts";
import { UnreadableFile } from "../knowledge/parse/document.ts";
import { outageOf } from "../outage/outage.ts";
import { ObjectStoreError } from "../storage/object-store.ts";

/** What a failed attempt says of its job. */
export interface Failure {
  /**
   * final: what was given cannot be read, trying again changes nothing · away: what the work needs does not serve at the
   * moment, which says nothing of the job · unknown: anything else
   */
  cause: "final" | "away" | "unknown";
  /** Kept with the job, for the operator; of what is away for everyone who waits. */
  reason: string;
  /** Kept with the version when the job is given up, for a person. */
  shown: string;
}

/** A key or an address that is refused is put right some time, without anyone giving the document again. */
const PROVIDER_AWAY: ReadonlySet<ProviderFailure> = new Set(["network", "timeout", "busy", "fault", "refused", "open"]);

export function failureOf(error: unknown): Failure {
  const reason = messageOf(error);
  if (error instanceof UnreadableFile) return { cause: "final", reason, shown: reason };
  const away = awayReason(error);
  if (away) return { cause: "away", reason: away, shown: `Failed after retrying for 24 hours: ${away} Try again.` };
  return { cause: "unknown", reason, shown: "Processing failed. Try again. The server's log has the details." };
}

/** Whether no other job of the claim needs to try: the provider is not asked any more for now, or company or lease is gone. */
export function meetsAll(error: unknown): boolean {
  if (error instanceof CompanyGone || error instanceof LeaseLost) return true;
  return isProviderError(error) && error.failure === "open";
}

function awayReason(error: unknown): string | null {
  if (isProviderError(error)) return PROVIDER_AWAY.has(error.failure) ? sentence(error.message) : null;
  if (error instanceof ObjectStoreError) return error.away ? sentence(error.message) : null;
  const outage = outageOf(error);
  return outage && sentence(outage.message);
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
