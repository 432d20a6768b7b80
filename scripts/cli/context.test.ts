import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

/** Runs work as a command, interrupts it at its first output, and returns the rest of its output and its exit code. */
async function interruptedCommand(work: string) {
  const script = `
    import { Command } from "commander";
    import { confirmDeletion, say } from "./lib/client/cli/terminal.ts";
    import { interrupted, run } from "./scripts/cli/context.ts";
    process.stdin.isTTY = true;
    await run(new Command(), async () => { ${work} }, { database: "none" });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
  const ended = once(child, "exit");
  const [first] = await once(child.stderr.setEncoding("utf8"), "data");
  child.kill("SIGINT");
  const rest = await text(child.stderr);
  return { first, rest, ended: await ended };
}

test("Ctrl-C ends a command that reads standard input, with one line", async () => {
  expect(await interruptedCommand('say("Reading"); for await (const _ of process.stdin);')).toEqual({
    first: "Reading\n",
    rest: "Stopped.\n",
    ended: [1, null],
  });
});

test("Ctrl-C ends a command that waits for an answer, with one line", async () => {
  expect(await interruptedCommand('await confirmDeletion(["a.md"], undefined, interrupted);')).toEqual({
    first: "Delete 1 source whose files are gone: a.md? Type 1 to confirm: ",
    // the line of the question ends first
    rest: "\r\nStopped.\n",
    ended: [1, null],
  });
});
