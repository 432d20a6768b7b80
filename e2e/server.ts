import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { freePort } from "../lib/testing/free-port.ts";

export const root = join(import.meta.dirname, "..");

/** A script's arguments to Node, as `npm start` and `npm run` give them. */
export function script(name: string): string[] {
  return ["--import", join(root, "scripts", "quick-imports.ts"), join(root, "scripts", name)];
}

/** Reading the sample's documents is most of it. */
const START_PATIENCE_MS = 240_000;
/** What a developer's shell may hold, and these tests must not use. */
const UNSET = {
  DATABASE_URL: "",
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  PUBLIC_URL: "",
  SELF_SERVICE: "",
  SMTP_URL: "",
  MAIL_FROM: "",
  OIDC_ISSUER: "",
  OIDC_CLIENT_ID: "",
  OIDC_CLIENT_SECRET: "",
};

/** What a visitor reads on the terminal. */
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

/** A server that nobody can sign in to yet. */
export interface NewServer {
  url: string;
  /** The one-time code of `/setup`. */
  code: string;
  stop(): Promise<void>;
}

/** Runs the built application on an empty folder with the sample company, and reads what it prints. */
export async function startServer(dataDir: string): Promise<Server> {
  const { said, stop } = await serve(dataDir, { SAMPLE: "on" });
  const line = (name: string) => lineOf(said, name);
  return {
    url: line("Address"),
    email: line("Sign in"),
    password: line("Password"),
    token: line("API key"),
    dataDir,
    stop,
  };
}

/** The same without the sample: no company, no user. */
export async function startNewServer(dataDir: string, variables: Record<string, string> = {}): Promise<NewServer> {
  const { said, stop } = await serve(dataDir, { SAMPLE: "off", ...variables });
  return { url: new URL(lineOf(said, "Address")).origin, code: lineOf(said, "Set-up code"), stop };
}

/** Where all that a server says is kept. */
export function logOf(dataDir: string): string {
  return `${dataDir}.log`;
}

async function serve(dataDir: string, variables: Record<string, string>) {
  const port = await freePort();
  const child = spawn(process.execPath, script("serve.ts"), {
    cwd: root,
    env: {
      ...process.env,
      ...UNSET,
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
    return { said: await untilReady(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(child: ChildProcess): Promise<string> {
  let said = "";
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The server ${what}:\n${said}`));
    const timer = setTimeout(() => fail("was not ready in time"), START_PATIENCE_MS);
    const onOutput = (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes("Ragstone is ready at")) return;
      clearTimeout(timer);
      resolve(said);
    };
    child.stdout?.on("data", onOutput);
    child.stderr?.on("data", onOutput);
    child.once("exit", () => {
      clearTimeout(timer);
      fail("ended");
    });
  });
}

function lineOf(said: string, name: string): string {
  const found = said.match(new RegExp(`^ +${name} +(\\S+)$`, "m"))?.[1];
  if (!found) throw new Error(`The server printed no line "${name}":\n${said}`);
  return found;
}
