import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { companyScope, createCompany, deleteCompany, listCompanies } from "../../lib/companies/service.ts";
import { example, run, UsageError } from "./context.ts";

export function companyCommands(company: Command): void {
  const create = company
    .command("create")
    .description("Create a company; its subscription is ACTIVE with no end")
    .requiredOption("--name <text>", "the company's name")
    .action((options: { name: string }, command: Command) =>
      run(command, async () => {
        const { id, name } = await createCompany(CLI_ACTOR, options);
        return { value: { id, name }, lines: [`${id}  ${name}`] };
      }),
    );
  example(create, 'company create --name "Acme Hosting"');

  const list = company
    .command("list")
    .description("List the companies, oldest first")
    .action((_options: object, command: Command) =>
      run(command, async () => {
        const companies = (await listCompanies()).map(({ id, name }) => ({ id, name }));
        return { value: companies, lines: companies.map(({ id, name }) => `${id}  ${name}`) };
      }),
    );
  example(list, "company list --json");

  const remove = company
    .command("delete")
    .description("Delete a company and everything in it")
    .requiredOption("--id <uuid>", "the company")
    .option("--yes", "confirm that the company is deleted permanently")
    .action((options: { id: string; yes?: boolean }, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(options.id);
        if (!options.yes) throw new UsageError("This deletes the company permanently. Add --yes to confirm.");
        await deleteCompany(scope, CLI_ACTOR);
        return { value: { id: scope.companyId }, lines: [`Deleted ${scope.companyId}`] };
      }),
    );
  example(remove, "company delete --id 4f6c1b1e-0000-4000-8000-000000000000 --yes");
}
