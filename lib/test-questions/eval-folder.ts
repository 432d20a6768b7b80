import { join } from "node:path";
import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { z } from "zod";
import { requireAdmin } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { AppError, issuesOf, validationError } from "../errors.ts";
import { readJsonLines } from "../evaluation/json-lines.ts";
import { readJudgedQuestions } from "../evaluation/metrics.ts";
import { servedText } from "../knowledge/browse/served-text.ts";
import { factOfPattern, patternOf } from "./facts.ts";
import { type TestQuestionInput, testQuestionInput } from "./schema.ts";
import { addTestQuestions, allTestQuestions, type TestQuestion } from "./service.ts";

const ROWS_AT_ONCE = 50;

/** A file of the folder that `ragstone eval` and `ragstone eval answers` read. */
interface EvalFile {
  name: string;
  lines: AsyncIterable<string> | Iterable<string>;
}

/**
 * The test questions as a folder for `ragstone eval` and `ragstone eval answers`, with the text of every source as
 * corpus. A question without an expected source is only in `questions.jsonl`, one without an expected answer only in
 * `queries.jsonl`. Sources that must not be found are in `excluded.jsonl`, which only an import reads.
 */
export async function evalFolder(scope: TenantScope, actor: Actor): Promise<EvalFile[]> {
  requireAdmin(scope, actor);
  const questions = await allTestQuestions(scope, actor);
  const found = questions.filter(({ expectedSource }) => expectedSource !== null);
  return [
    { name: "questions.jsonl", lines: questions.filter(expectsAnswer).map(answerLine) },
    { name: "queries.jsonl", lines: found.map(({ id, question }) => JSON.stringify({ _id: id, text: question })) },
    {
      name: "qrels.tsv",
      lines: ["query-id\tcorpus-id\tscore", ...found.map(({ id, expectedSource }) => `${id}\t${expectedSource}\t1`)],
    },
    { name: "excluded.jsonl", lines: questions.flatMap(excludedLine) },
    { name: "corpus.jsonl", lines: corpusLines(scope) },
    { name: "documents.txt", lines: ["corpus.jsonl"] },
  ];
}

function expectsAnswer({ facts, mustRefuse }: TestQuestion): boolean {
  return facts.length > 0 || mustRefuse;
}

function answerLine({ id, question, facts, mustRefuse, expectedSource }: TestQuestion): string {
  return JSON.stringify({
    ...{ id, question, kind: mustRefuse ? "unanswerable" : "single fact", language: "en", half: "report" },
    ...(expectedSource !== null && { document: expectedSource }),
    ...(mustRefuse ? { refuse: true } : { facts: facts.map(patternOf) }),
  });
}

function excludedLine({ id, question, excludedSource }: TestQuestion): string[] {
  return excludedSource === null ? [] : [JSON.stringify({ id, question, excluded: excludedSource })];
}

async function* corpusLines(scope: TenantScope): AsyncGenerator<string> {
  for (let after = ""; ; ) {
    const rows = await nextSources(scope, after);
    const last = rows.at(-1);
    if (!last) return;
    for (const { sourceId, versionId, title } of rows) {
      yield JSON.stringify({ _id: sourceId, title, text: await servedText(scope, versionId) });
    }
    after = last.sourceId;
  }
}

function nextSources(scope: TenantScope, after: string) {
  return scope.transaction((tx) =>
    tx
      .select({ sourceId: sources.sourceId, versionId: sourceVersions.id, title: sourceVersions.title })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, sources.companyId), eq(sourceVersions.id, sources.currentVersionId)),
      )
      .where(and(eq(sources.companyId, scope.companyId), isNull(sources.deletedAt), gt(sources.sourceId, after)))
      .orderBy(asc(sources.sourceId))
      .limit(ROWS_AT_ONCE),
  );
}

/** The parts of a line of `questions.jsonl` that a test question has. */
const answerQuestion = z.object({
  id: z.string(),
  question: z.string(),
  facts: z.array(z.string()).default([]),
  refuse: z.boolean().default(false),
});

const excludedQuestion = z.object({ id: z.string(), question: z.string(), excluded: z.string() });

/**
 * Adds the questions of a folder that `evalFolder` wrote, or of any other evaluation set.
 * @returns also the ids of questions that were left out, because their facts are regular expressions
 * @throws {AppError} ValidationError
 */
export async function importEvalFolder(scope: TenantScope, actor: Actor, folder: string) {
  requireAdmin(scope, actor);
  const questions = new Map<string, TestQuestionInput>();
  const skipped: string[] = [];
  const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";
  const orNothing = (error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  };
  for (const { id, text, document } of await readJudgedQuestions(folder).catch(orNothing)) {
    questions.set(id, { question: text, expectedSource: document });
  }
  for (const each of await readJsonLines(join(folder, "excluded.jsonl"), excludedQuestion).catch(orNothing)) {
    const { id, question, excluded } = each;
    questions.set(id, { ...questions.get(id), question, excludedSource: excluded });
  }
  for (const each of await readJsonLines(join(folder, "questions.jsonl"), answerQuestion).catch(orNothing)) {
    const facts = each.facts.flatMap((pattern) => factOfPattern(pattern) ?? []);
    if (facts.length < each.facts.length) {
      skipped.push(each.id);
      questions.delete(each.id);
      continue;
    }
    questions.set(each.id, { ...questions.get(each.id), question: each.question, facts, mustRefuse: each.refuse });
  }
  if (questions.size + skipped.length === 0) {
    throw new AppError(
      "ValidationError",
      `${folder} has no questions.jsonl or excluded.jsonl, and no queries.jsonl with qrels.tsv.`,
    );
  }
  for (const [id, question] of questions) checkQuestion(id, question);
  return { ...(await addTestQuestions(scope, actor, [...questions.values()])), skipped };
}

/** @throws {AppError} ValidationError, whose issues begin with the question's id in the folder */
function checkQuestion(id: string, question: TestQuestionInput): void {
  const { error } = testQuestionInput.safeParse(question);
  if (!error) return;
  const issues = issuesOf(error).map(({ path, message }) => ({ path: [id, path].filter(Boolean).join(": "), message }));
  throw validationError(issues);
}
