/** The cosine of two vectors of length 1. */
export function cosineOf(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
