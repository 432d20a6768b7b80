/**
 * Resolves like the work, or rejects when the work takes longer. The work itself is not stopped.
 * @param late makes the error
 */
export async function withTimeout<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(late()), ms);
  return Promise.race([work, timeout.promise]).finally(() => clearTimeout(timer));
}
