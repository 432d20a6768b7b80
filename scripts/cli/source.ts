import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { listSources } from "../../lib/knowledge/browse/list.ts";
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
    .description("Delete a source; the dashboard can restore it for 24 hours")
    .requiredOption("--company <id>", "the company")
    .requiredOption("--source-id <s>", "the source's identifier, as shown by `source list`")
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
