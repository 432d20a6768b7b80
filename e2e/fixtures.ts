import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { script } from "./server.ts";

const exec = promisify(execFile);

interface Reply {
  status: number;
  body: Record<string, unknown>;
  requestId: string | null;
}

/** The API as a customer's system calls it: by HTTP, with nothing but a token. */
export const api = {
  status: (token: string) => call("/v1/api/status", token),
  retrieve: (token: string, body: Record<string, unknown>) => call("/v1/api/rag/retrieve", token, body),
};

/** What the server printed for the sample company. */
export const sample = {
  email: () => variable("E2E_EMAIL"),
  password: () => variable("E2E_PASSWORD"),
  token: () => variable("E2E_TOKEN"),
  company: "Valtessa",
};

/** The operator's command line on the same data; answers what `--json` prints. */
export async function ragstone(...args: string[]): Promise<unknown> {
  return ragstoneOn(variable("E2E_DATA_DIR"), ...args);
}

/** The same on the data of another server. */
export async function ragstoneOn(dataDir: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn" };
  const { stdout } = await exec(process.execPath, [...script("ragstone.ts"), ...args, "--json"], { env });
  return JSON.parse(stdout);
}

/** The id of the sample company. */
export async function sampleCompany(): Promise<string> {
  for (const { id, name } of Object(await ragstone("company", "list"))) if (name === sample.company) return id;
  throw new Error(`There is no company ${sample.company}`);
}

async function call(path: string, token: string, body?: Record<string, unknown>): Promise<Reply> {
  const response = await fetch(variable("E2E_URL") + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json(), requestId: response.headers.get("x-request-id") };
}

/** @throws when the global set-up has not set it */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
