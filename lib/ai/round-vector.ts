/** Stored vectors are multiples of 1/4096, and those of questions of 1/2048. */
export const STEPS = { chunk: 4_096, question: 2_048 };

/**
 * Rounds a vector of about length 1, so that inner products are exact: a product of a question's and a chunk's component
 * is a multiple of 2^-23, and a partial sum is below 2, so 24 bits hold it. A float therefore gives the same cosine
 * whatever the order of the additions, and whoever adds. A cosine moves by about 0.0002.
 */
export function roundVector(vector: ArrayLike<number>, steps: number): Float32Array {
  return Float32Array.from(vector, (value) => Math.round(value * steps) / steps);
}

/** A vector in steps. One that an earlier release stored is rounded, so its cosines may differ from the database's. */
export function inSteps(vector: ArrayLike<number>, steps: number): Int16Array {
  const rounded = new Int16Array(vector.length);
  // much faster than `Int16Array.from`
  for (let i = 0; i < vector.length; i++) rounded[i] = Math.round((vector[i] ?? 0) * steps);
  return rounded;
}

/** The vector that `inSteps` rounded. */
export function fromSteps(rounded: Int16Array, steps: number): Float32Array {
  return Float32Array.from(rounded, (value) => value / steps);
}
