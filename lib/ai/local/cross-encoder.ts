import type { Reranker } from "../reranker.ts";
import type { EmbedQueue } from "./embed-queue.ts";
import { openModelFolder } from "./model-folder.ts";
import { orAborted } from "./or-aborted.ts";
import { loadTokenizer, type TokenPair } from "./tokenizer.ts";

/** How long the pairs of one question may take: 50 short ones by a small model. */
const BUDGET_MS = 120;
/** Small batches let the next question's embedding pass between them. */
const BATCH_PAIRS = 8;
/** A question keeps at most this share of the window, so that the document is read too. */
const QUESTION_SHARE = 0.5;
const MEASURED = { rounds: 4, tokens: 64 };

/**
 * A cross-encoder: a sentence-transformers export that reads question and document as one text and gives one logit. Runs
 * in the thread of the queue.
 *
 * It scores only as many documents as its speed allows in the time budget. The speed is measured once, so that the same
 * request always scores the same number of documents.
 * @throws LocalModelError when the folder has no model; `score` rejects with it when the model cannot run
 */
export function createCrossEncoder({
  modelDir,
  queue,
}: {
  modelDir: string;
  queue: Pick<EmbedQueue, "score">;
}): Reranker {
  const { id, dir, graph, windowTokens } = openModelFolder(modelDir, "reranking");
  let speed: Promise<number> | undefined;

  const run = (pairs: TokenPair[], signal?: AbortSignal) => queue.score(pairs, { graph, folder: dir, signal });

  /** Milliseconds per token: of the fastest round, because the first ones and other processes slow it down. */
  async function measureSpeed(): Promise<number> {
    const pair = { ids: new Array<number>(MEASURED.tokens).fill(1), types: new Array<number>(MEASURED.tokens).fill(0) };
    const times: number[] = [];
    for (let round = 0; round < MEASURED.rounds; round++) {
      times.push((await run(new Array<TokenPair>(BATCH_PAIRS).fill(pair))).ms);
    }
    return Math.min(...times) / (BATCH_PAIRS * MEASURED.tokens);
  }

  return {
    modelId: id,
    isRemote: false,
    async score(query, documents, signal) {
      const tokenizer = await loadTokenizer(dir);
      speed ??= measureSpeed().catch((error) => {
        speed = undefined;
        throw error;
      });
      const msPerToken = await orAborted(speed, signal);
      const questionMax = Math.floor(windowTokens * QUESTION_SHARE);
      const all = documents.map((document) =>
        tokenizer.encodePair(query, document, { questionMax, max: windowTokens }),
      );
      const pairs = withinBudget(all, BUDGET_MS / msPerToken);
      const batches = batchesByLength(pairs);
      const replies = await orAborted(
        Promise.all(
          batches.map((batch) =>
            run(
              batch.map(({ pair }) => pair),
              signal,
            ),
          ),
        ),
        signal,
      );
      const scores = new Array<number>(pairs.length).fill(0);
      for (const [b, batch] of batches.entries()) {
        for (const [i, { index }] of batch.entries()) scores[index] = sigmoid(replies[b]?.logits[i] ?? 0);
      }
      return scores;
    },
  };
}

/** The first pairs that have at most `tokens` tokens together; at least one. */
function withinBudget(pairs: TokenPair[], tokens: number): TokenPair[] {
  let left = tokens;
  const end = pairs.findIndex(({ ids }) => {
    left -= ids.length;
    return left < 0;
  });
  return end < 0 ? pairs : pairs.slice(0, Math.max(1, end));
}

/** Batches of pairs of similar length, because the shorter ones of a batch are padded. */
function batchesByLength(pairs: TokenPair[]): { pair: TokenPair; index: number }[][] {
  const sorted = pairs
    .map((pair, index) => ({ pair, index }))
    .sort((a, b) => a.pair.ids.length - b.pair.ids.length || a.index - b.index);
  return Array.from({ length: Math.ceil(sorted.length / BATCH_PAIRS) }, (_, batch) =>
    sorted.slice(batch * BATCH_PAIRS, (batch + 1) * BATCH_PAIRS),
  );
}

function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
