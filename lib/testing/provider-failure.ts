import { isProviderError, type ProviderError } from "../ai/remote/provider-error.ts";

/** Time limits in milliseconds that no busy machine exceeds. */
export const LONG_TIMES = { attemptMs: 10_000, deadlineMs: 20_000, jitterMs: 4 };
/** Time limits for a provider that never answers. */
export const SHORT_TIMES = { ...LONG_TIMES, attemptMs: 1_000 };

/** The error of a provider's call that must fail. */
export async function failureOf(promise: PromiseLike<unknown>): Promise<ProviderError> {
  try {
    await promise;
  } catch (error) {
    if (isProviderError(error)) return error;
    throw error;
  }
  throw new Error("expected a ProviderError");
}
