import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram, GROUPS } from "./program.ts";

/** All runnable commands of a group. */
async function commandsOf(group: string): Promise<Command[]> {
  const program = await createProgram([group, "--help"]);
  const command = program.commands.find((each) => each.name() === group);
  if (!command) throw new Error(`${group} is not there`);
  return command.commands.length > 0 ? [...command.commands] : [command];
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

describe("help", () => {
  it("lists every command without loading any", async () => {
    const program = await createProgram([]);
    expect(program.commands.map((command) => command.name())).toEqual(Object.keys(GROUPS));
    expect(program.commands.every((command) => command.options.length === 0)).toBe(true);
  });

  it.each(Object.keys(GROUPS))("of %s shows an example that the command accepts", async (group) => {
    for (const command of await commandsOf(group)) {
      const help = helpOf(command);
      const [, example = ""] = /Example:\n {2}npm run --silent ragstone -- (.+)\n/.exec(help) ?? [];
      expect(example).toContain(group);
      expect(help).toContain("--json");
      const options = [...example.matchAll(/(?<= )--[a-z-]+/g)].map(([option]) => option);
      const known = [...command.options, ...(command.parent?.options ?? []), { long: "--json" }].map(
        ({ long }) => long,
      );
      expect(known).toEqual(expect.arrayContaining(options));
      const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
      expect(options).toEqual(expect.arrayContaining(required));
    }
  });
});
