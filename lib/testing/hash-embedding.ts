/**
 * A deterministic stand-in for an embedding model: words and their trigrams hashed to signed dimensions (the hashing
 * trick, Weinberger et al. 2009), so that texts which share words have a high cosine. Length 1, never zero.
 */
export function hashEmbedding(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const add = (feature: string, weight: number) => {
    const hash = fnv1a(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash & 0x40000000 ? weight : -weight);
  };
  add("", 0.1);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    add(word, 1);
    for (let i = 0; i + 3 <= word.length; i++) add(`~${word.slice(i, i + 3)}`, 0.3);
  }
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
