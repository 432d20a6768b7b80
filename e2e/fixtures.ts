import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { script } from "./server.ts";

const exec = promisify(execFile);

interface Reply {
  status: number;
  body: Record<string, unknown>;
  requestId: string | null;
}

/** Calls the API as a customer's system does: over HTTP, with a key. */
export const api = {
  status: (token: string) => call("/v1/api/status", token),
  retrieve: (token: string, body: Record<string, unknown>) => call("/v1/api/rag/retrieve", token, body),
};

/** The credentials of the sample company, which the server printed. */
export const sample = {
  email: () => variable("E2E_EMAIL"),
  password: () => variable("E2E_PASSWORD"),
  token: () => variable("E2E_TOKEN"),
  company: "Valtessa",
};

/** Runs the operator's command line on the same data, and returns the JSON that it prints. */
export async function ragstone(...args: string[]): Promise<unknown> {
  return ragstoneOn(variable("E2E_DATA_DIR"), ...args);
}

/** Runs the command line on the data of another server. */
export async function ragstoneOn(dataDir: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  const { stdout } = await exec(process.execPath, [...script("cli/ragstone.ts"), ...args, "--json"], { env });
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

/** @throws if the global set-up did not set the variable */
export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}
