/**
 * network: unreachable, or the response was cut off · timeout: slower than its budget · busy: 429 · fault: 408, 409,
 * 5xx · rejected: this input (400, 413, 422) · refused: the configuration (key, URL, model) · invalid: an unusable
 * response · open: not called, because recent calls failed too often
 */
export type ProviderFailure = "network" | "timeout" | "busy" | "fault" | "rejected" | "refused" | "invalid" | "open";

interface ProviderErrorOptions {
  status?: number;
  retryAfterMs?: number;
}

/**
 * A remote model gave no usable response: degrade, or retry later. Carries neither the request nor the response, which
 * hold texts and keys that must not be logged.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly failure: ProviderFailure;
  readonly status: number | null;
  /** How long to wait before the next call, as the provider asked or as the circuit breaker stays open. */
  readonly retryAfterMs: number | null;

  constructor(failure: ProviderFailure, message: string, { status, retryAfterMs }: ProviderErrorOptions = {}) {
    super(message);
    this.failure = failure;
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
  }
}

/** Compares names, because a bundle may contain a second copy of the class. */
export function isProviderError(error: unknown): error is ProviderError {
  return error instanceof Error && error.name === "ProviderError";
}

/** The error for a response other than 2xx. Its body is not read, because it may repeat the request. */
export function errorOfStatus(status: number, retryAfter: string | null, now = Date.now()): ProviderError {
  const options = { status, retryAfterMs: retryAfterMs(retryAfter, now) };
  if (status === 429) return new ProviderError("busy", "The provider's rate limit was reached (429)", options);
  if (status === 408 || status === 409 || status >= 500)
    return new ProviderError("fault", `The provider failed with status ${status}`, options);
  if (status === 400 || status === 413 || status === 422)
    return new ProviderError("rejected", `The provider rejected the input with status ${status}`, options);
  if (status === 401 || status === 403)
    return new ProviderError("refused", `The provider refused the API key with status ${status}`, options);
  if (status >= 300 && status < 400)
    return new ProviderError("refused", "The provider sent a redirect. Set the URL that it redirects to", options);
  return new ProviderError(
    "refused",
    `The provider does not know the URL or the model (status ${status}). Check both`,
    options,
  );
}

/** `Retry-After` is whole seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
