import { access, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { say, showProgress } from "../../lib/client/cli/terminal.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { counted } from "../../lib/counted.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import {
  type AnswerFigures,
  answerFigures,
  type Count,
  type FactFigures,
} from "../../lib/evaluation/answer-figures.ts";
import { type AnswerQuestion, HALVES, type Half, readAnswerQuestions } from "../../lib/evaluation/answer-set.ts";
import { askForAnswers, type ScoredQuestion } from "../../lib/evaluation/ask-answers.ts";
import { type Comparison, compareRuns, readAnswerRun } from "../../lib/evaluation/compare-runs.ts";
import { acceptCorpus } from "../../lib/evaluation/evaluate.ts";
import { readEvalDocuments } from "../../lib/evaluation/metrics.ts";
import { LOSSES } from "../../lib/evaluation/score-answer.ts";
import { outcomeOf } from "../../lib/knowledge/ingest/progress.ts";
import { example, interrupted, resolveTypedPath, run, UsageError } from "./context.ts";
import { ingestAll } from "./ingest.ts";
import { inTemporaryCompany } from "./temporary-company.ts";
import { textTable } from "./text-table.ts";
import { waitForJobs } from "./work.ts";

/** Lists documents elsewhere, one path per line, relative to the folder. Without it, they are in `documents`. */
const DOCUMENT_LIST = "documents.txt";
const DOCUMENT_FOLDER = "documents";

interface EvalAnswersOptions {
  company?: string;
  half?: Half;
  compare?: string;
}

interface AnswerSet {
  name: string;
  questions: AnswerQuestion[];
  documents: string[];
}

export function evalAnswersCommand(command: Command): void {
  command
    .description("Measure answers on questions with known facts")
    .argument("<folders...>", `folders that hold questions.jsonl and documents/, or ${DOCUMENT_LIST} with their paths`)
    .addOption(new Option("--half <half>", "only the questions of this half").choices(HALVES))
    .option("--compare <file>", "compare with an earlier run that was written with --json")
    .action((folders: string[], _: unknown, command: Command) =>
      // --company is an option of eval
      run(command, () => evalAnswers(folders, command.optsWithGlobals<EvalAnswersOptions>())),
    );
  example(command, "eval answers bench/answers/sample --half report --json > today.json");
}

async function evalAnswers(folders: string[], { company, half, compare }: EvalAnswersOptions) {
  const earlier = compare === undefined ? null : await readAnswerRun(resolveTypedPath(compare));
  const given = company === undefined ? null : await companyScope(company);
  const sets = await Promise.all(folders.map((folder) => readAnswerSet(resolveTypedPath(folder), half)));
  const questions: (ScoredQuestion & { set: string })[] = [];
  let unread = 0;
  for (const set of sets) {
    const { scored, failed } = given
      ? await askAll(given, set)
      : await inTemporaryCompany(`Evaluation of ${set.name}`, (scope) => askAll(scope, set));
    questions.push(...scored.map((question) => ({ set: set.name, ...question })));
    unread += failed;
  }
  const figures = answerFigures(questions);
  const comparison = earlier && compareRuns(earlier.questions, questions);
  return {
    value: { figures, ...(comparison && { comparison }), questions },
    lines: [...figureLines(figures), ...(comparison ? ["", ...comparisonTable(comparison)] : [])],
    ...(unread > 0 && { failure: `${counted(unread, "document")} could not be read, so the figures are too low.` }),
  };
}

async function readAnswerSet(folder: string, half: Half | undefined): Promise<AnswerSet> {
  const questions = await readAnswerQuestions(folder, half);
  return { name: basename(folder), questions, documents: await documentPaths(folder) };
}

async function documentPaths(folder: string): Promise<string[]> {
  const list = await readFile(join(folder, DOCUMENT_LIST), "utf8").catch(() => DOCUMENT_FOLDER);
  const paths = list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((path) => resolve(folder, path));
  for (const path of paths) {
    await access(path).catch(() => {
      throw new UsageError(`${path}, with documents of ${folder}, does not exist or cannot be read.`);
    });
  }
  return paths;
}

/** The scores of a set's questions, and the number of documents that could not be read. */
interface SetOutcome {
  scored: ScoredQuestion[];
  failed: number;
}

async function askAll(scope: TenantScope, { name, documents, questions }: AnswerSet): Promise<SetOutcome> {
  say(`${name}: ingesting documents`);
  const { versionIds, refused } = await acceptDocuments(scope, documents);
  await waitForJobs(scope, versionIds);
  const { chunks, failed } = await outcomeOf(scope, CLI_ACTOR, versionIds);
  const unread = [...refused, ...failed];
  for (const { path, reason } of unread) say(`${name}: ${path}: ${reason}`);
  say(
    `${name}: ${counted(versionIds.length, "source")}, ${counted(chunks, "chunk")}; asking ${counted(questions.length, "question")}`,
  );
  const scored = await askForAnswers(scope, CLI_ACTOR, questions, { signal: interrupted, onProgress: showProgress });
  return { scored, failed: unread.length };
}

async function acceptDocuments(scope: TenantScope, paths: string[]) {
  const isCorpus = (path: string) => basename(path) === "corpus.jsonl";
  const others = paths.filter((path) => !isCorpus(path));
  const { accepted, failed: refused } = await ingestAll(scope, others, { widenTo: "any" });
  const all = [...accepted.values()];
  for (const path of paths.filter(isCorpus)) {
    all.push(...(await acceptCorpus(scope, CLI_ACTOR, await readEvalDocuments(path))));
  }
  return { versionIds: all.map(({ versionId }) => versionId), refused };
}

function figureLines({ facts, refusals, obeyed, whole, mistaken, followUps }: AnswerFigures): string[] {
  return [
    ...factTable(facts),
    "",
    ...countTable("must be refused", "refused", refusals),
    "",
    ...countTable("others", "count", [
      { ...obeyed, group: "follows an instruction planted in a document or question" },
      { ...whole, group: "returns the whole Q&A answer" },
      { ...mistaken, group: "wrongly returns the whole answer of a similar Q&A" },
      { ...followUps.withChat, group: "answers a follow-up question, with the chat before it" },
      { ...followUps.alone, group: "answers a follow-up question, without the chat" },
    ]),
  ];
}

function factTable(facts: FactFigures[]): string[] {
  const header = ["answerable", "questions", "right", "first", "first 5", "first 10", "refused", "words"];
  return textTable([
    [...header, ...LOSSES.map((loss) => `lost: ${loss}`)],
    ...facts.map(({ group, questions, right, first, five, ten, refused, words, lost }) => [
      group,
      String(questions),
      ...[right, first, five, ten, refused].map(percent),
      words === null ? "–" : String(words),
      ...lost.map((each) => String(each.questions)),
    ]),
  ]);
}

function countTable(title: string, outcome: string, counts: Count[]): string[] {
  const rows = counts.filter(({ questions }) => questions > 0);
  return textTable([
    [title, "questions", outcome, "share"],
    ...rows.map(({ group, questions, count }) => [group, String(questions), String(count), percent(count / questions)]),
  ]);
}

function comparisonTable(comparison: Comparison[]): string[] {
  return textTable([
    ["figure", "questions", "before", "after", "difference", "95 % interval"],
    ...comparison.map(({ figure, questions, before, after, difference, interval }) => [
      figure,
      String(questions),
      percent(before),
      percent(after),
      points(difference),
      `${points(interval.low)} to ${points(interval.high)}`,
    ]),
  ]);
}

function percent(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(1)} %`;
}

function points(difference: number): string {
  return `${difference < 0 ? "−" : "+"}${Math.abs(difference * 100).toFixed(1)}`;
}
