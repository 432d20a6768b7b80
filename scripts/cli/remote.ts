import type { Command } from "commander";
import { remoteClient } from "../../lib/client/cli/remote-client.ts";
import type { Outcome } from "../../lib/client/cli/terminal.ts";
import type { Ragstone } from "../../lib/client/index.ts";
import { loadEnvFile } from "../../lib/env.ts";
import { projectRoot } from "../../lib/project-root.ts";
import { run, UsageError } from "./context.ts";

/** How a command works on the server of RAGSTONE_URL, and how it works on this installation's database. */
interface Places {
  remote(client: Ragstone): Promise<Outcome>;
  local(companyId: string): Promise<Outcome>;
}

/** Adds the option `--company`, which is required unless the command works on the server of RAGSTONE_URL. */
export function companyOption(command: Command): Command {
  return command.option("--company <id>", "the company; not with RAGSTONE_URL, where the API key belongs to a company");
}

/** Runs a command against the server of RAGSTONE_URL if that is set, otherwise on this installation's database. */
export async function runInPlace(command: Command, { remote, local }: Places): Promise<void> {
  const { company } = command.opts<{ company?: string }>();
  if (isRemote()) {
    const work = async () => {
      if (company === undefined) return remote(remoteClient());
      throw new UsageError("With RAGSTONE_URL the API key names the company. Leave --company out.");
    };
    return run(command, work, { database: "none" });
  }
  if (company === undefined) command.error("error: required option '--company <id>' not specified");
  return run(command, () => local(company));
}

/** Whether RAGSTONE_URL is set, in the environment or in `.env`. */
export function isRemote(root = projectRoot()): boolean {
  loadEnvFile(root);
  return Boolean(process.env.RAGSTONE_URL?.trim());
}
