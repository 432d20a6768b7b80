import { cosineOf } from "../ai/cosine.ts";
import type { Embed } from "../ai/local/evidence.ts";
import type { Question } from "./question.ts";
import { firstSentences } from "./rerank.ts";
import type { ScoredChunk } from "./scored-chunks.ts";

/** How many of the chunks are read closely: embedding one window takes 2.5 to 6 ms. */
const CHUNKS_READ = 5;
const WINDOW = { sentences: 2, chars: 500, perChunk: 4 };
const WINDOW_WEIGHT = 0.4;
/**
 * Longer questions are shortened before they are embedded, so their cosines cannot be compared with those of windows.
 */
const QUESTION_CHARS_MAX = 500;

/**
 * Raises the scores of the best chunks by how much closer their best window, two sentences, is to the question than the
 * whole chunk: the vector of a chunk about several topics is close to none of them (as MaxP of Dai and Callan 2019).
 * Counts as much as the vector score does in the chunk's language.
 * @param chunks with the cosines of the bundled model
 * @param scores of the chunks, 0 to 1
 * @throws LocalModelError
 */
export async function addBestWindows(
  { text }: Pick<Question, "text">,
  chunks: readonly { cosine: number; weight: number; chunk: Pick<ScoredChunk["chunk"], "content"> }[],
  scores: number[],
  { embed, signal }: { embed: Embed; signal?: AbortSignal | undefined },
): Promise<number[]> {
  if (text.length > QUESTION_CHARS_MAX) return scores;
  const best = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, CHUNKS_READ);
  const windows = best.flatMap((index) =>
    windowsOf(chunks[index]?.chunk.content ?? "").map((window) => ({ index, window })),
  );
  if (windows.length === 0) return scores;

  const [asked = [], ...vectors] = await embed([text, ...windows.map(({ window }) => window)], signal);
  const closest = new Map<number, number>();
  for (const [position, { index }] of windows.entries()) {
    closest.set(index, Math.max(cosineOf(asked, vectors[position] ?? []), closest.get(index) ?? 0));
  }
  return scores.map((score, index) => {
    const { cosine = 0, weight = 0 } = chunks[index] ?? {};
    const gain = Math.max(0, (closest.get(index) ?? 0) - cosine);
    return Math.min(1, score + WINDOW_WEIGHT * weight * gain);
  });
}

/** The first windows of a chunk, in order; none when one window is the whole chunk. */
export function windowsOf(content: string): string[] {
  const sentences = firstSentences(content);
  if (sentences.length <= WINDOW.sentences) return [];
  const count = Math.min(WINDOW.perChunk, Math.ceil(sentences.length / WINDOW.sentences));
  return Array.from({ length: count }, (_, window) => {
    const start = window * WINDOW.sentences;
    return sentences
      .slice(start, start + WINDOW.sentences)
      .join(" ")
      .slice(0, WINDOW.chars);
  });
}
