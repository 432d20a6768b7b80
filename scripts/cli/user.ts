import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { say } from "../../lib/client/cli/terminal.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { createMember, resetPassword } from "../../lib/members/service.ts";
import { example, run } from "./context.ts";

interface CreateOptions {
  company: string;
  email: string;
  name: string;
  role: "admin" | "support";
  password?: string;
}

export function userCommands(user: Command): void {
  const create = user
    .command("create")
    .description(
      "Add a member to a company. An existing account is added too, and gets a new password if it was set up through a link that an admin saw",
    )
    .requiredOption("--company <id>", "the company")
    .requiredOption("--email <e>", "the email address, used to sign in")
    .requiredOption("--name <n>", "the person's name")
    .requiredOption("--role <role>", "admin or support")
    .option("--password <p>", "the password, or - to read it from standard input; without it one is generated")
    .action(({ company, password, ...member }: CreateOptions, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(company);
        // a password may end with a blank, so only the line's end is removed
        const chosen = password === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : password;
        const { keepsPassword, ...made } = await createMember(scope, CLI_ACTOR, { ...member, password: chosen });
        if (keepsPassword) say(`${made.email} already has an account and keeps its password.`);
        return { value: made, lines: [`${made.email}  ${made.role}${made.password ? `  ${made.password}` : ""}`] };
      }),
    );
  example(create, 'user create --company <id> --email ada@example.com --name "Ada Rossi" --role admin');

  const password = user
    .command("password")
    .description("Set a new password for a person and sign them out everywhere")
    .requiredOption("--email <e>", "the email address of the person")
    .action((options: { email: string }, command: Command) =>
      run(command, async () => {
        const made = await resetPassword(options.email);
        return { value: made, lines: [`${made.email}  ${made.password}`] };
      }),
    );
  example(password, "user password --email ada@example.com");
}
