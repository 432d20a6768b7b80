import { basename } from "node:path";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { say, showProgress } from "../../lib/client/cli/terminal.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { counted } from "../../lib/counted.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { acceptCorpus, evaluate, type Measurement } from "../../lib/evaluation/evaluate.ts";
import { type EvalSet, readEvalSet } from "../../lib/evaluation/metrics.ts";
import { outcomeOf } from "../../lib/knowledge/ingest/progress.ts";
import { example, interrupted, resolveTypedPath, run } from "./context.ts";
import { evalAnswersCommand } from "./eval-answers.ts";
import { evalExportCommand, evalImportCommand } from "./eval-folder.ts";
import { inTemporaryCompany } from "./temporary-company.ts";
import { textTable } from "./text-table.ts";
import { waitForJobs } from "./work.ts";

export function evalCommand(command: Command): void {
  command
    .argument("<folders...>", "folders that hold corpus.jsonl, queries.jsonl and qrels.tsv in BEIR's form")
    .option(
      "--company <id>",
      "ingest the documents into this company and keep them; without it, a temporary company is created",
    )
    .action((folders: string[], options: { company?: string }, command: Command) =>
      run(command, async () => {
        const given = options.company === undefined ? null : await companyScope(options.company);
        const sets = await Promise.all(
          folders.map(async (folder) => ({
            name: basename(resolveTypedPath(folder)),
            set: await readEvalSet(resolveTypedPath(folder)),
          })),
        );
        const value = [];
        let lost = 0;
        for (const { name, set } of sets) {
          const measured = given
            ? await measure(given, name, set)
            : await inTemporaryCompany(`Evaluation of ${name}`, (scope) => measure(scope, name, set));
          value.push(...measured.rows.map((row) => ({ set: name, ...row })));
          lost += measured.failed;
        }
        const failure = lost > 0 ? `${counted(lost, "document")} could not be processed.` : undefined;
        return { value, lines: table(value), failure };
      }),
    );
  example(command, "eval data/scifact --json");
  evalAnswersCommand(command.command("answers"));
  evalExportCommand(command.command("export"));
  evalImportCommand(command.command("import"));
}

interface Measured {
  rows: Measurement[];
  /** How many documents could not be processed. */
  failed: number;
}

async function measure(scope: TenantScope, name: string, set: EvalSet): Promise<Measured> {
  const started = Date.now();
  say(`${name}: ingesting ${counted(set.documents.length, "document")}`);
  const versionIds = (await acceptCorpus(scope, CLI_ACTOR, set.documents)).map(({ versionId }) => versionId);
  await waitForJobs(scope, versionIds);
  const { chunks, failed } = await outcomeOf(scope, CLI_ACTOR, versionIds);
  for (const { path, reason } of failed) say(`${name}: ${path}: ${reason}`);
  say(
    `${name}: ${counted(chunks, "chunk")} in ${((Date.now() - started) / 1000).toFixed(1)} s; asking ${counted(set.queries.length, "question")}`,
  );
  const rows = await evaluate(scope, CLI_ACTOR, set, { signal: interrupted, onProgress: showProgress });
  return { rows, failed: failed.length };
}

function table(rows: (Measurement & { set: string })[]): string[] {
  const header = ["set", "configuration", "queries", "nDCG@10", "recall@100", "MRR@10", "p50 ms", "p95 ms"];
  const cells = rows.map(({ set, config, queries, ndcg10, recall100, mrr10, p50Ms, p95Ms }) => [
    set,
    config,
    ...[queries, ndcg10.toFixed(4), recall100.toFixed(4), mrr10.toFixed(4), p50Ms, p95Ms].map(String),
  ]);
  return textTable([header, ...cells]);
}
