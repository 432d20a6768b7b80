import { isProviderError, type ProviderFailure } from "../ai/remote/provider-error.ts";
import { messageOf } from "../errors.ts";
import type { Failure } from "../jobs/failure.ts";
import { CompanyGone, LeaseLost } from "../jobs/work-scope.ts";
import { UnreadableFile } from "../knowledge/parse/document.ts";
import { outageOf } from "../outage/outage.ts";
import { ObjectStoreError } from "../storage/object-store.ts";

/** An operator can fix a refused key or a wrong URL, so `refused` is retried too. */
const UNAVAILABLE: ReadonlySet<ProviderFailure> = new Set(["network", "timeout", "busy", "fault", "refused", "open"]);

/** Classifies the error of an attempt at a job. */
export function classifyFailure(error: unknown): Failure {
  const reason = messageOf(error);
  if (error instanceof UnreadableFile) return { cause: "final", reason, shown: reason };
  const unavailable = whatIsUnavailable(error);
  if (unavailable) {
    const shown = `Failed after retrying for 24 hours: ${unavailable} Try again.`;
    return { cause: "unavailable", reason: unavailable, shown };
  }
  return { cause: "unknown", reason, shown: "Processing failed. Try again. The server's log has the details." };
}

/** Whether the other jobs of the claim would fail too: calls to the provider are paused, or the company or lease is gone. */
export function affectsEveryJob(error: unknown): boolean {
  if (error instanceof CompanyGone || error instanceof LeaseLost) return true;
  return isProviderError(error) && error.failure === "open";
}

/** A sentence, or null when the error does not mean that something is unavailable. */
function whatIsUnavailable(error: unknown): string | null {
  if (isProviderError(error)) return UNAVAILABLE.has(error.failure) ? sentence(error.message) : null;
  if (error instanceof ObjectStoreError) return error.isUnavailable ? sentence(error.message) : null;
  const outage = outageOf(error);
  return outage && sentence(outage.message);
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
