import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { deleteRemotely, listOutcome, listRemotely } from "../../lib/client/cli/source.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { listSources } from "../../lib/knowledge/browse/list.ts";
import { deleteSource, sourceByExternalId } from "../../lib/knowledge/service.ts";
import { example, interrupted } from "./context.ts";
import { companyOption, runInPlace } from "./remote.ts";

export function sourceCommands(source: Command): void {
  const list = companyOption(source.command("list"))
    .description("List the sources of a company with their status: ready, processing or failed")
    .action((_options: object, command: Command) =>
      runInPlace(command, {
        remote: (client) => listRemotely(client, { signal: interrupted }),
        local: async (companyId) => listOutcome(await listSources(await companyScope(companyId), CLI_ACTOR)),
      }),
    );
  example(list, "source list --company <id> --json");

  const remove = companyOption(source.command("delete"))
    .description("Delete a source; the dashboard can restore it for 24 hours")
    .requiredOption("--source-id <s>", "the source's identifier, as shown by `source list`")
    .action((options: { sourceId: string }, command: Command) =>
      runInPlace(command, {
        remote: (client) => deleteRemotely(client, options.sourceId, { signal: interrupted }),
        async local(companyId) {
          const scope = await companyScope(companyId);
          const { id } = await sourceByExternalId(scope, CLI_ACTOR, options.sourceId);
          const { sourceId } = await deleteSource(scope, CLI_ACTOR, id);
          return { value: { sourceId }, lines: [`Deleted ${sourceId}`] };
        },
      }),
    );
  example(remove, "source delete --company <id> --source-id articles/refunds.md");
}
