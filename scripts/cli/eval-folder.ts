import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { counted } from "../../lib/counted.ts";
import { evalFolder, importEvalFolder } from "../../lib/test-questions/eval-folder.ts";
import { writeWhole } from "../../lib/write-whole.ts";
import { example, interrupted, resolveTypedPath, run, UsageError } from "./context.ts";

interface FolderOptions {
  company?: string;
}

/** `--company` is an option of eval. */
async function scopeOf(command: Command) {
  const { company } = command.optsWithGlobals<FolderOptions>();
  if (company === undefined) throw new UsageError("Name the company with --company <id>.");
  return companyScope(company);
}

export function evalExportCommand(command: Command): void {
  command
    .description("Write a company's test questions and knowledge as a folder that eval and eval answers read")
    .argument("<folder>", "the folder to write")
    .action((folder: string, _: unknown, self: Command) =>
      run(self, async () => {
        const scope = await scopeOf(self);
        const path = resolveTypedPath(folder);
        await mkdir(path, { recursive: true });
        for (const { name, lines } of await evalFolder(scope, CLI_ACTOR)) {
          await writeWhole(join(path, name), (draft) =>
            pipeline(Readable.from(terminated(lines)), createWriteStream(draft, { mode: 0o600 }), {
              signal: interrupted,
            }),
          );
        }
        return { value: { folder: path }, lines: [`Written to ${path}`] };
      }),
    );
  example(command, "eval export --company <id> our-questions");
}

async function* terminated(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

export function evalImportCommand(command: Command): void {
  command
    .description("Add the questions of an evaluation folder to a company's test questions")
    .argument("<folder>", "a folder with questions.jsonl, or with queries.jsonl and qrels.tsv")
    .action((folder: string, _: unknown, self: Command) =>
      run(self, async () => {
        const scope = await scopeOf(self);
        const value = await importEvalFolder(scope, CLI_ACTOR, resolveTypedPath(folder));
        const skipped = value.skipped.map((id) => `skipped: ${id}: its facts are regular expressions`);
        return {
          value,
          lines: [`${counted(value.added, "test question")} added, ${value.known} known`, ...skipped],
        };
      }),
    );
  example(command, "eval import --company <id> our-questions");
}
