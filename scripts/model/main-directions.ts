/** The steps after which the directions no longer change much. */
const STEPS = 60;

/** The directions in which vectors differ most, by orthogonal iteration from a fixed start. */
export function mainDirections(vectors: readonly number[][], count: number): number[][] {
  const covariance = covarianceOf(vectors);
  const size = covariance.length;
  let directions = Array.from({ length: count }, (_, row) =>
    Array.from({ length: size }, (_, column) => Math.sin(1 + row * size + column)),
  );
  for (let step = 0; step < STEPS; step++) {
    directions = orthonormal(directions.map((direction) => project(direction, covariance)));
  }
  return directions;
}

/** The dot products of a vector with each row. */
export function project(vector: readonly number[], rows: readonly number[][]): number[] {
  return rows.map((row) => dot(row, vector));
}

function covarianceOf(vectors: readonly number[][]): number[][] {
  const size = vectors[0]?.length ?? 0;
  const sums = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (const vector of vectors) {
    for (const [row, value] of vector.entries()) {
      const own = sums[row] ?? [];
      for (let column = 0; column < size; column++) own[column] = (own[column] ?? 0) + value * (vector[column] ?? 0);
    }
  }
  return sums;
}

/** The same space with directions of length 1 at right angles. */
function orthonormal(vectors: number[][]): number[][] {
  const found: number[][] = [];
  for (const vector of vectors) {
    let rest = vector;
    for (const other of found) {
      const share = dot(rest, other);
      rest = rest.map((value, index) => value - share * (other[index] ?? 0));
    }
    const length = Math.hypot(...rest);
    found.push(rest.map((value) => value / length));
  }
  return found;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
