import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { EnvironmentError, loadEnv, parseEnv } from "./env.ts";

const root = "/srv/ragstone";
const read = (record: Record<string, string>) => parseEnv(record, root);

describe("parseEnv", () => {
  it("has a default for everything", () => {
    expect(read({})).toEqual({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://localhost:3000",
      dataDir: "/srv/ragstone/.data",
      databaseUrl: null,
      databaseReplicaUrl: null,
      sample: true,
      authSecret: null,
      rateLimitPerMinute: 600,
      webProcesses: 1,
      servers: 1,
      indexMemoryMb: expect.any(Number),
      selfService: true,
      openai: null,
      embeddingModelDir: null,
      ocrLanguages: ["eng", "ita"],
      rerankModelDir: null,
      rerank: null,
      supabase: null,
      smtp: null,
      oidc: null,
      logLevel: "info",
    });
  });

  it("gives the indexes a sixteenth of the memory, at most 512 MB", () => {
    const megabyte = 1024 * 1024;
    const limit = vi.spyOn(process, "constrainedMemory");
    onTestFinished(() => limit.mockRestore());
    limit.mockReturnValue(1024 * megabyte);
    expect(read({}).indexMemoryMb).toBe(64);
    expect(read({ WEB_PROCESSES: "8" }).indexMemoryMb).toBe(32);
    limit.mockReturnValue(Number.MAX_SAFE_INTEGER);
    expect(read({}).indexMemoryMb).toBe(Math.min(512, Math.floor(totalmem() / 16 / megabyte)));
  });

  it("treats an empty value as unset", () => {
    expect(read({ PORT: "", DATABASE_URL: " ", OPENAI_API_KEY: "", OIDC_ISSUER: "" })).toEqual(read({}));
  });

  it("reads the languages of text recognition, which an empty value turns off", () => {
    expect(read({ OCR_LANGUAGES: "deu, chi_sim" }).ocrLanguages).toEqual(["deu", "chi_sim"]);
    for (const value of ["", "off"]) expect(read({ OCR_LANGUAGES: value }).ocrLanguages).toEqual([]);
    expect(() => read({ OCR_LANGUAGES: "../eng" })).toThrow("language codes with three letters");
  });

  it("enables the remote models by the key or by the base URL", () => {
    expect(read({ OPENAI_API_KEY: "sk-1" }).openai).toEqual({
      apiKey: "sk-1",
      baseUrl: "https://api.openai.com/v1",
      embeddingModel: "text-embedding-3-small",
      embeddingDimensions: null,
      answerModel: "gpt-4.1-mini",
    });
    expect(read({ OPENAI_BASE_URL: "http://127.0.0.1:8080/v1/" }).openai).toMatchObject({
      apiKey: null,
      baseUrl: "http://127.0.0.1:8080/v1",
    });
  });

  it("disables the sample on a database server by default", () => {
    const DATABASE_URL = "postgres://u:p@db:5432/r";
    expect(read({ DATABASE_URL }).sample).toBe(false);
    expect(read({ DATABASE_URL, SAMPLE: "on" }).sample).toBe(true);
    expect(read({ SAMPLE: "0" }).sample).toBe(false);
  });

  it("uses the port in the default public URL", () => {
    expect(read({ PORT: "8080" }).publicUrl).toBe("http://localhost:8080");
    expect(read({ PUBLIC_URL: "https://kb.example.com/" }).publicUrl).toBe("https://kb.example.com");
  });

  it("cannot be changed", () => {
    const env = read({ OPENAI_API_KEY: "sk-1" });
    expect(Object.isFrozen(env) && Object.isFrozen(env.openai)).toBe(true);
  });

  it.each([
    ["PORT", "80a", "whole number"],
    ["PORT", "70000", "between 0 and 65535"],
    ["PUBLIC_URL", "example.com", "http://"],
    ["DATABASE_URL", "mysql://root@db/x", "postgres://"],
    ["DATABASE_REPLICA_URL", "replica:5432", "postgres://"],
    ["SAMPLE", "maybe", "on or off"],
    ["SELF_SERVICE", "perhaps", "on or off"],
    ["AUTH_SECRET", "short", "16 characters"],
    ["RATE_LIMIT_PER_MINUTE", "-1", "whole number"],
    ["OPENAI_BASE_URL", "localhost:8080", "http://"],
    ["EMBEDDING_DIMENSIONS", "0", "between 1"],
    ["SMTP_URL", "mail.example.com", "smtp://"],
    ["LOG_LEVEL", "loud", "debug"],
  ])("refuses %s=%s in one line that names the variable", (name, value, hint) => {
    const error = failure({ [name]: value });
    expect(error).toContain(`${name} `);
    expect(error).toContain(hint);
    expect(error).toContain("for example");
    expect(error).not.toContain("\n");
  });

  it("never repeats a value, which may be a secret", () => {
    expect(failure({ DATABASE_URL: "hunter2" })).not.toContain("hunter2");
  });

  it.each([
    [{ OIDC_ISSUER: "https://login.example.com" }, "OIDC_CLIENT_ID"],
    [{ SUPABASE_URL: "https://x.supabase.co", SUPABASE_BUCKET: "b" }, "SUPABASE_SERVICE_ROLE_KEY"],
    [{ SMTP_URL: "smtp://mail" }, "MAIL_FROM"],
    [{ RERANK_API_KEY: "k" }, "RERANK_BASE_URL"],
    [{ DATABASE_REPLICA_URL: "postgres://u:p@replica:5432/r" }, "DATABASE_URL"],
  ])("refuses an incomplete group %o", (record, missing) => {
    expect(failure(record)).toContain(missing);
  });

  it.each([
    ["DATABASE_URI", "DATABASE_URL"],
    ["OPENAI_KEY", "OPENAI_API_KEY"],
    ["OPENAI_URL", "OPENAI_BASE_URL"],
    ["OPEN_AI_API_KEY", "OPENAI_API_KEY"],
    ["EMBEDDING_DIMS", "EMBEDDING_DIMENSIONS"],
    ["EMBEDDINGS_MODEL", "EMBEDDING_MODEL"],
    ["RERANK_URL", "RERANK_BASE_URL"],
    ["SUPABASE_SERVICE_KEY", "SUPABASE_SERVICE_ROLE_KEY"],
    ["SMTP_HOST", "SMTP_URL"],
    ["OIDC_SECRET", "OIDC_CLIENT_SECRET"],
    ["DATADIR", "DATA_DIR"],
    ["database_url", "DATABASE_URL"],
  ])("suggests the right name for the misspelt %s", (name, meant) => {
    expect(failure({ [name]: "x" })).toContain(`Did you mean ${meant}?`);
  });

  it("ignores other programs' variables", () => {
    const foreign = [
      "PATH",
      "HOME",
      "HOSTNAME",
      "POST",
      "SIMPLE",
      "PGHOST",
      "NODE_ENV",
      "OPENAI_ORG_ID",
      "OPENAI_PROJECT",
    ];
    const more = [
      "SUPABASE_ANON_KEY",
      "DATABASE_URL_TEST",
      "NEXTAUTH_SECRET",
      "npm_config_cache",
      "MAIL",
      "CI",
      "TERM",
    ];
    for (const name of [...foreign, ...more]) expect(() => read({ [name]: "x" }), name).not.toThrow();
  });
});

describe("loadEnv", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("reads .env in the root; a variable of the process takes precedence, even if empty", () => {
    const root = mkdtempSync(path.join(tmpdir(), "ragstone-env-"));
    writeFileSync(path.join(root, ".env"), "PORT=4001\nLOG_LEVEL=debug\nOPENAI_API_KEY='sk-file'\nDATA_DIR=kept\n");
    vi.stubEnv("PORT", undefined);
    vi.stubEnv("DATA_DIR", undefined);
    vi.stubEnv("LOG_LEVEL", "warn");
    vi.stubEnv("OPENAI_API_KEY", "");
    const env = loadEnv(root);
    rmSync(root, { recursive: true });
    expect(env).toMatchObject({ port: 4001, logLevel: "warn", openai: null, dataDir: path.join(root, "kept") });
  });
});

function failure(record: Record<string, string>): string {
  try {
    read(record);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error("expected an EnvironmentError");
}

it("reads the variables that the README lists, and no others", () => {
  const table = readFileSync("README.md", "utf8")
    .split("\n")
    .filter((line) => /^\| `[A-Z]/.test(line));
  const listed = table.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name),
  );
  const read = [...readFileSync("lib/env.ts", "utf8").matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(20);
  expect(listed.sort()).toEqual(read.sort());
});
