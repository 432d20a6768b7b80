import { Command } from "commander";

/** Loaded on demand: ingest takes seconds to load, while most commands load quickly. */
export const GROUPS: Record<string, { description: string; load(): Promise<(command: Command) => void> }> = {
  company: {
    description: "Companies: create, list, delete",
    load: async () => (await import("./company.ts")).companyCommands,
  },
  user: {
    description: "Members: create a member, set a new password",
    load: async () => (await import("./user.ts")).userCommands,
  },
  key: {
    description: "API keys: create, list, restrict, rotate, revoke",
    load: async () => (await import("./key.ts")).keyCommands,
  },
  subscription: {
    description: "A company's subscription: set its status",
    load: async () => (await import("./subscription.ts")).subscriptionCommands,
  },
  ingest: {
    description: "Add files, folders and bulk files to a company's knowledge",
    load: async () => (await import("./ingest.ts")).ingestCommand,
  },
  source: {
    description: "A company's sources: list, delete",
    load: async () => (await import("./source.ts")).sourceCommands,
  },
  search: {
    description: "Search a company's knowledge, as the API does",
    load: async () => (await import("./search.ts")).searchCommand,
  },
  eval: {
    description: "Measure retrieval on judged questions, and answers on known facts",
    load: async () => (await import("./eval.ts")).evalCommand,
  },
  export: {
    description: "Write a company's knowledge to a file",
    load: async () => (await import("./export.ts")).exportCommand,
  },
  import: {
    description: "Add the knowledge of an exported file to a company",
    load: async () => (await import("./export.ts")).importCommand,
  },
  backup: {
    description: "Write the whole database to a file",
    load: async () => (await import("./backup.ts")).backupCommand,
  },
  restore: {
    description: "Restore a backup into an empty database",
    load: async () => (await import("./backup.ts")).restoreCommand,
  },
  database: {
    description: "The database: distribute it over several servers",
    load: async () => (await import("./distribute.ts")).databaseCommands,
  },
  doctor: {
    description: "Check that everything works",
    load: async () => (await import("./doctor.ts")).doctorCommand,
  },
};

const HELP = ["-h", "--help", "help"];

/** Creates the program. Only the command named by `words` is loaded; the others have just their descriptions. */
export async function createProgram(words: string[]): Promise<Command> {
  const program = new Command("ragstone")
    .usage("<command> [options]")
    .description("The operator's command line. It works while the server is running or not.")
    .option("--json", "print one JSON value on standard output, and nothing else")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}\n`) })
    .addHelpText("after", "\nExample:\n  npm run --silent ragstone -- company create --name Acme --json");
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  const isIncomplete = second === undefined && !words.some((word) => HELP.includes(word));
  const named = first === "help" ? second : first;
  for (const [name, { description, load }] of Object.entries(GROUPS)) {
    const command = program.command(name).description(description);
    if (name === named) (await load())(command);
    if (isGroup(command)) refuseUnknown(command);
    if (isGroup(command) && isIncomplete) command.error(`Choose a command: ${namesOf(command)}.`);
  }
  refuseUnknown(program);
  return program;
}

function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ");
}

/** Whether a command only holds others and does nothing itself. */
function isGroup({ commands, registeredArguments }: Command): boolean {
  return commands.length > 0 && registeredArguments.length === 0;
}

function refuseUnknown(group: Command): void {
  group.on("command:*", ([given]: string[]) =>
    group.error(`"${given}" is not a command. The commands are: ${namesOf(group)}.`),
  );
}

function namesOf(group: Command): string {
  return group.commands.map((command) => `${group.parent ? `${group.name()} ` : ""}${command.name()}`).join(", ");
}
