import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { listSources } from "../../lib/knowledge/list.ts";
import { deleteSource, sourceByExternalId } from "../../lib/knowledge/service.ts";
import { example, run } from "./context.ts";

export function sourceCommands(source: Command): void {
  const list = source
    .command("list")
    .description("List the sources of a company with their status: ready, processing or failed")
    .requiredOption("--company <id>", "the company")
    .action((options: { company: string }, command: Command) =>
      run(command, async () => {
        const rows = await listSources(await companyScope(options.company), CLI_ACTOR);
        const lines = rows.map(({ sourceId, status, chunks, error }) =>
          [sourceId, status, `${chunks} chunks`, error].filter(Boolean).join("  "),
        );
        return { value: rows, lines };
      }),
    );
  example(list, "source list --company <id> --json");

  const remove = source
    .command("delete")
    .description("Take a source out of the knowledge; the dashboard can bring it back for a day")
    .requiredOption("--company <id>", "the company")
    .requiredOption("--source-id <s>", "the source's identifier, as it was given or as `source list` shows it")
    .action((options: { company: string; sourceId: string }, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(options.company);
        const { id } = await sourceByExternalId(scope, CLI_ACTOR, options.sourceId);
        const { sourceId } = await deleteSource(scope, CLI_ACTOR, id);
        return { value: { sourceId }, lines: [`Deleted ${sourceId}`] };
      }),
    );
  example(remove, "source delete --company <id> --source-id articles/refunds.md");
}
