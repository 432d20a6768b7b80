import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, vi } from "vitest";

// each command runs in a new process
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface RunOptions {
  /** Standard input. Without it, an empty pipe; `null`: no pipe, but the null device. */
  input?: string | null;
  env?: object;
  /** Interrupts the command, as Ctrl-C does, as soon as its standard error contains this. */
  interruptAt?: string;
}

/** Runs a command of the operator's command line as a process of its own. */
export async function ragstone(
  parameters: string[],
  { input = "", env = {}, interruptAt }: RunOptions = {},
): Promise<CommandResult> {
  const words = ["--import", "./scripts/start/quick-imports.ts", "scripts/cli/ragstone.ts", ...parameters];
  const options = { env: { ...process.env, ...env } };
  const child =
    input === null
      ? spawn(process.execPath, words, { ...options, stdio: ["ignore", "pipe", "pipe"] })
      : spawn(process.execPath, words, { ...options, stdio: "pipe" });
  child.stdin?.end(input);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    stderr += piece;
    if (interruptAt !== undefined && stderr.includes(interruptAt) && !child.killed) child.kill("SIGINT");
  });
  const stdout = await text(child.stdout);
  return { status: await closed, stdout, stderr };
}

/** Runs a command that succeeds and returns its JSON output. */
export async function json(parameters: string[], options?: RunOptions) {
  const { status, stdout, stderr } = await ragstone([...parameters, "--json"], options);
  expect([stderr, status]).toEqual([expect.anything(), 0]);
  return JSON.parse(stdout);
}

/** Runs a command that fails and returns its one line of output. */
export async function refusal(parameters: string[], options?: RunOptions): Promise<string> {
  const { status, stdout, stderr } = await ragstone([...parameters, "--json"], options);
  expect([status, stdout, stderr.trimEnd().split("\n")]).toEqual([1, "", [expect.stringMatching(/\S/)]]);
  return stderr.trimEnd();
}

export async function createCompany(name: string): Promise<string> {
  return (await json(["company", "create", "--name", name])).id;
}

/** A folder for files that the commands of a test file read and write. */
export function testFolder() {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ragstone-cli-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const path = (name: string) => join(folder, name);
  return {
    path,
    async put(name: string, content: string): Promise<string> {
      await mkdir(dirname(path(name)), { recursive: true });
      await writeFile(path(name), content);
      return path(name);
    },
  };
}
