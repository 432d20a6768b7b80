import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { copyEmptyDatabase } from "../lib/testing/empty-database.ts";
import { freePort } from "../lib/testing/free-port.ts";

export const root = join(import.meta.dirname, "..");

/** Arguments to Node for running a script, as in `npm start` and `npm run`. */
export function script(name: string): string[] {
  return ["--import", join(root, "scripts/start/quick-imports.ts"), join(root, "scripts", name)];
}

/** Most of a start is processing the sample's documents. */
const START_TIMEOUT_MS = 240_000;
/** The credentials that the server prints. */
interface Access {
  url: string;
  email: string;
  password: string;
  token: string;
}

export interface Server extends Access {
  dataDir: string;
  stop(): Promise<void>;
}

/** A server without users. */
export interface NewServer {
  url: string;
  /** The one-time code of `/setup`. */
  code: string;
  stop(): Promise<void>;
}

/** Runs the built application on an empty database with the sample company, and parses its output. */
export async function startServer(dataDir: string, variables: Record<string, string> = {}): Promise<Server> {
  await copyEmptyDatabase(dataDir);
  const { output, stop } = await serve(dataDir, { SAMPLE: "on", ...variables });
  const line = (name: string) => lineOf(output, name);
  return {
    url: line("Address"),
    email: line("Sign in"),
    password: line("Password"),
    token: line("API key"),
    dataDir,
    stop,
  };
}

/** Runs the application in an empty folder without the sample, so without companies and users. */
export async function startNewServer(dataDir: string, variables: Record<string, string> = {}): Promise<NewServer> {
  const { output, stop } = await serve(dataDir, { SAMPLE: "off", ...variables });
  return { url: new URL(lineOf(output, "Address")).origin, code: lineOf(output, "Set-up code"), stop };
}

/** The file with the whole output of a server. */
export function logOf(dataDir: string): string {
  return `${dataDir}.log`;
}

async function serve(dataDir: string, variables: Record<string, string>) {
  const port = await freePort();
  const child = spawn(process.execPath, script("serve/serve.ts"), {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(logOf(dataDir));
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  try {
    return { output: await waitUntilReady(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilReady(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The server ${what}:\n${output}`));
    const timer = setTimeout(() => fail("was not ready in time"), START_TIMEOUT_MS);
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes("Ragstone is ready at")) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("exit", () => {
      clearTimeout(timer);
      fail("ended");
    });
  });
}

function lineOf(output: string, name: string): string {
  const found = output.match(new RegExp(`^ +${name} +(\\S+)$`, "m"))?.[1];
  if (!found) throw new Error(`The server printed no line "${name}":\n${output}`);
  return found;
}
