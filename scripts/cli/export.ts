import { createReadStream, createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { labelOutcome } from "../../lib/client/cli/label-outcome.ts";
import { say } from "../../lib/client/cli/terminal.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { counted } from "../../lib/counted.ts";
import { exportSources } from "../../lib/knowledge/export.ts";
import { importSources } from "../../lib/knowledge/import.ts";
import { outcomeOf } from "../../lib/knowledge/ingest/progress.ts";
import { isWideningRefused } from "../../lib/knowledge/intake/widening.ts";
import { putOf } from "../../lib/knowledge/manage/put.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { example, interrupted, readableFile, run, UsageError, writableFile } from "./context.ts";
import { waitForJobs } from "./work.ts";

export function exportCommand(command: Command): void {
  command
    .argument("<file>", "the file to write; it includes original files, but no ids and no vectors")
    .requiredOption("--company <id>", "the company")
    .action((file: string, options: { company: string }, self: Command) =>
      run(self, async () => {
        const scope = await companyScope(options.company);
        const value = { sources: 0, chunks: 0 };
        async function* lines() {
          for await (const { line, chunks, textOnly } of exportSources(scope, CLI_ACTOR)) {
            if (textOnly !== undefined) say(`${textOnly}: its original is missing; the export has its text instead.`);
            if (chunks !== null) value.sources++;
            value.chunks += chunks ?? 0;
            yield `${line}\n`;
          }
        }
        await writeWhole(await writableFile(file), (draft) =>
          pipeline(Readable.from(lines()), createWriteStream(draft, { mode: 0o600 }), { signal: interrupted }),
        );
        return { value, lines: [`${counted(value.sources, "source")}, ${counted(value.chunks, "chunk")}`] };
      }),
    );
  example(command, "export --company <id> knowledge.jsonl");
}

interface ImportOptions {
  company: string;
  yes?: boolean;
  keepVerifications?: boolean;
}

const KEEP_HINT = " Repeat with --keep-verifications to keep their verification.";

export function importCommand(command: Command): void {
  command
    .argument("<file>", "a file written by `export`; importing it again changes nothing")
    .requiredOption("--company <id>", "the company")
    .option("--yes", "allow existing sources to gain the audiences in the file")
    .option("--keep-verifications", "verify the answers that were verified in the company that was exported")
    .action((file: string, options: ImportOptions, self: Command) =>
      run(self, async () => {
        const scope = await companyScope(options.company);
        const path = await readableFile(file);
        const widenTo = options.yes ? "any" : [];
        const { accepted, verifications } = await importSources(
          scope,
          CLI_ACTOR,
          () => createReadStream(path, { signal: interrupted }),
          {
            widenTo,
            keepVerifications: options.keepVerifications,
          },
        ).catch(explainWidening);
        const { kept, lost } = verifications;
        if (lost > 0)
          say(`${counted(lost, "verified answer")} imported as not verified.${kept === 0 ? KEEP_HINT : ""}`);
        const versionIds = accepted.map(({ versionId }) => versionId);
        await waitForJobs(scope, versionIds);
        const { sources, chunks, failed } = await outcomeOf(scope, CLI_ACTOR, versionIds);
        for (const { path: name, reason } of failed) say(`failed: ${name}: ${reason}`);
        const { relabelled, changes } = labelOutcome(accepted.map(putOf));
        return {
          value: { sources, chunks, ...(options.keepVerifications && { verified: kept }), ...relabelled },
          lines: [`${counted(sources, "source")}, ${counted(chunks, "chunk")}`, ...changes],
          failure: failed.length > 0 ? `${counted(failed.length, "source")} could not be processed.` : undefined,
        };
      }),
    );
  example(command, "import --company <id> knowledge.jsonl");
}

function explainWidening(error: unknown): never {
  if (!isWideningRefused(error)) throw error;
  throw new UsageError(`${error.message} Nothing was imported. Repeat with --yes to import it.`);
}
