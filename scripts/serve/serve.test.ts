import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const script = join(import.meta.dirname, "serve.ts");
let folder: string;
let port: number;
const taken = createServer();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-serve-"));
  writeFileSync(join(folder, "file"), "");
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const address = taken.address();
  if (address !== null && typeof address !== "string") port = address.port;
});
afterAll(() => {
  taken.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server that must fail to start, and returns its exit code and error output. */
async function refusal(variables: Record<string, string>): Promise<{ code: number; output: string }> {
  const env = { ...process.env, PORT: "0", DATA_DIR: join(folder, "data"), DATABASE_URL: "", ...variables };
  const child = spawn(process.execPath, ["--import", "./scripts/start/quick-imports.ts", script], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, "close");
  return { code, output };
}

describe("a server that cannot start", { timeout: 60_000 }, () => {
  it.each<{ what: string; variables: () => Record<string, string>; line: () => string }>([
    {
      what: "the port is taken",
      variables: () => ({ PORT: String(port) }),
      line: () => `port ${port} is in use. Stop the program that uses it, or set PORT`,
    },
    {
      what: "HOST is an address of another machine",
      variables: () => ({ HOST: "192.0.2.1" }),
      line: () => "this machine does not have the address 192.0.2.1",
    },
    {
      what: "DATA_DIR cannot be written",
      variables: () => ({ DATA_DIR: join(folder, "file", "data") }),
      line: () => "cannot be written (ENOTDIR",
    },
    {
      what: "DATA_DIR cannot be created",
      variables: () => ({ DATA_DIR: "/proc/ragstone/data" }),
      line: () => "DATA_DIR /proc/ragstone/data cannot be written",
    },
    {
      what: "no server responds at DATABASE_URL",
      variables: () => ({ DATABASE_URL: "postgres://me:secret@127.0.0.1:9/ragstone" }),
      line: () => "DATABASE_URL: no server responds at 127.0.0.1:9",
    },
    {
      what: "the host of DATABASE_URL is unknown",
      variables: () => ({ DATABASE_URL: "postgres://me:secret@database.invalid/ragstone" }),
      line: () => "DATABASE_URL: the host database.invalid is unknown",
    },
    { what: "a variable is malformed", variables: () => ({ PORT: "many" }), line: () => "PORT must be a whole number" },
  ])("says in one line that $what", async ({ variables, line }) => {
    const { code, output } = await refusal(variables());
    expect(code).toBe(1);
    expect(output).toMatch(/^Ragstone cannot start: [^\n]+\n$/);
    expect(output).toContain(line());
    expect(output).not.toContain("secret");
  });

  it("says in one line that DATA_DIR is in use", async () => {
    const { takeLock } = await import("../../lib/folder-lock.mjs");
    const lock = await takeLock(folder, join(folder, "none"));
    const { code, output } = await refusal({ DATA_DIR: folder });
    expect(code).toBe(1);
    expect(output).toBe(
      `Ragstone cannot start: DATA_DIR ${folder} is in use by process ${process.pid}. Stop that process, or set DATA_DIR to another folder.\n`,
    );
    lock.release();
  });
});
