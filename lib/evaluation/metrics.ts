import { join } from "node:path";
import { z } from "zod";
import { readJsonLines, readTextLines } from "./json-lines.ts";
import { questionText } from "./question-text.ts";

/** Grade of each judged document for one question; 0 means not relevant. */
type Judgements = ReadonlyMap<string, number>;

export interface EvalSet {
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  /** Judgements by question id. */
  qrels: Map<string, Map<string, number>>;
}

const document = z
  .object({ _id: z.string(), title: z.string().default(""), text: z.string() })
  .transform(({ _id, title, text }) => ({ id: _id, title, text }));
const query = z.object({ _id: z.string(), text: z.string() }).transform(({ _id, text }) => ({ id: _id, text }));

/**
 * Normalised discounted cumulative gain of the first `k` documents (Järvelin and Kekäläinen 2002). The grade is the
 * gain, as in trec_eval and BEIR. 0 when nothing is relevant.
 * @param ranked document ids, best first
 */
export function ndcgAt(k: number, ranked: string[], judgements: Judgements): number {
  const ideal = discountedGain(
    [...judgements.values()]
      .filter(isRelevant)
      .sort((a, b) => b - a)
      .slice(0, k),
  );
  return ideal === 0 ? 0 : discountedGain(ranked.slice(0, k).map((id) => judgements.get(id) ?? 0)) / ideal;
}

/** Share of the relevant documents found in the first `k`; 0 when nothing is relevant. */
export function recallAt(k: number, ranked: string[], judgements: Judgements): number {
  const relevant = [...judgements.values()].filter(isRelevant).length;
  const found = ranked.slice(0, k).filter((id) => isRelevant(judgements.get(id) ?? 0)).length;
  return relevant === 0 ? 0 : found / relevant;
}

/** Reciprocal rank of the first relevant document in the first `k`; 0 when there is none. */
export function mrrAt(k: number, ranked: string[], judgements: Judgements): number {
  const rank = ranked.slice(0, k).findIndex((id) => isRelevant(judgements.get(id) ?? 0));
  return rank === -1 ? 0 : 1 / (rank + 1);
}

/**
 * Reads a folder in BEIR's format: corpus.jsonl, queries.jsonl, qrels.tsv (query-id, corpus-id, score). Questions
 * without judgements are skipped.
 * @throws {Error} with file and line when a line is malformed, with its id when a question cannot be asked, and when no
 * question is left
 */
export async function readEvalSet(folder: string): Promise<EvalSet> {
  const documents = await readEvalDocuments(join(folder, "corpus.jsonl"));
  const qrels = await readQrels(join(folder, "qrels.tsv"));
  const judged = await readQuestions(folder, (id) => qrels.has(id));
  if (judged.length === 0) throw new Error(`${folder}: qrels.tsv judges no question of queries.jsonl`);
  return { documents, queries: judged, qrels };
}

/** Reads the questions of a folder in BEIR's format, each with its most relevant document. */
export async function readJudgedQuestions(folder: string): Promise<{ id: string; text: string; document: string }[]> {
  const qrels = await readQrels(join(folder, "qrels.tsv"));
  const judged = await readQuestions(folder, (id) => qrels.has(id));
  return judged.flatMap(({ id, text }) => {
    const [best] = [...(qrels.get(id) ?? [])].filter(([, grade]) => isRelevant(grade)).sort(([, a], [, b]) => b - a);
    return best ? { id, text, document: best[0] } : [];
  });
}

/** Reads a corpus.jsonl in BEIR's form. Throws with file and line when a line is malformed. */
export function readEvalDocuments(path: string): Promise<EvalSet["documents"]> {
  return readJsonLines(path, document);
}

/** The other questions are not asked, so their text does not matter. */
async function readQuestions(folder: string, isJudged: (id: string) => boolean): Promise<EvalSet["queries"]> {
  const path = join(folder, "queries.jsonl");
  const queries = await readJsonLines(path, query);
  return queries
    .filter(({ id }) => isJudged(id))
    .map(({ id, text }) => {
      const asked = questionText.safeParse(text);
      if (!asked.success) throw new Error(`${path}: the text of question ${id} ${asked.error.issues[0]?.message}`);
      return { id, text: asked.data };
    });
}

async function readQrels(path: string): Promise<EvalSet["qrels"]> {
  const qrels: EvalSet["qrels"] = new Map();
  for (const { line, number } of (await readTextLines(path)).slice(1)) {
    const [queryId, documentId, grade] = line.split("\t");
    if (queryId === undefined || documentId === undefined || !Number.isFinite(Number(grade ?? "?"))) {
      throw new Error(`${path}, line ${number}: expected query-id, corpus-id and score, separated by tabs`);
    }
    const judgements = qrels.get(queryId) ?? new Map<string, number>();
    qrels.set(queryId, judgements.set(documentId, Number(grade)));
  }
  return qrels;
}

function discountedGain(grades: number[]): number {
  return grades.reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
}

function isRelevant(grade: number): boolean {
  return grade > 0;
}
