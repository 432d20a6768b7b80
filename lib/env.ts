import { existsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import path from "node:path";
import { z } from "zod";
import { nearestVariable } from "./nearest-variable.ts";
import { projectRoot } from "./project-root.ts";

/** A variable that cannot be used. The message is one line for the operator: the name, the problem, an example. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
}

const ON = ["on", "true", "yes", "1"];
const OFF = ["off", "false", "no", "0"];

const text = z.string();
const integer = (min: number, max: number, example: number) =>
  text
    .regex(/^\d{1,15}$/, `must be a whole number, for example ${example}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be between ${min} and ${max}, for example ${example}`);
const onOrOff = (name: string) =>
  text
    .transform((value) => value.toLowerCase())
    .refine((value) => ON.includes(value) || OFF.includes(value), `must be on or off, for example ${name}=off`)
    .transform((value) => ON.includes(value));
const address = (protocols: string[], example: string) =>
  text.refine(
    (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
    `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(" or ")}, for example ${example}`,
  );
const httpAddress = (example: string) =>
  address(["http:", "https:"], example)
    .refine((value) => !/[?#]/.test(value), `must not contain "?" or "#", for example ${example}`)
    .transform((value) => value.replace(/\/+$/, ""));

const MEGABYTE = 1024 * 1024;
const DEFAULT_INDEX_MEMORY_MB = 512;

/** A sixteenth of the memory of the machine or container, at most 512; all processes together take at most a quarter. */
function defaultIndexMemoryMb(webProcesses: number): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(DEFAULT_INDEX_MEMORY_MB, Math.floor(memory / Math.max(16, 4 * webProcesses) / MEGABYTE));
}

const LANGUAGE_CODES = "must be language codes with three letters, for example eng,ita, or off";

const Variables = z.object({
  PORT: integer(0, 65_535, 3000).default(3000),
  HOST: text.regex(/^[\w.:%-]+$/, "must be a host name or an IP address, for example 127.0.0.1").default("127.0.0.1"),
  PUBLIC_URL: httpAddress("https://knowledge.example.com").optional(),
  DATA_DIR: text.default(".data"),
  DATABASE_URL: address(["postgres:", "postgresql:"], "postgres://user:password@localhost:5432/ragstone").optional(),
  DATABASE_REPLICA_URL: address(
    ["postgres:", "postgresql:"],
    "postgres://user:password@replica:5432/ragstone",
  ).optional(),
  SAMPLE: onOrOff("SAMPLE").optional(),
  AUTH_SECRET: text
    .min(16, "must have at least 16 characters, for example the output of `openssl rand -base64 32`")
    .optional(),
  RATE_LIMIT_PER_MINUTE: integer(0, 1_000_000, 600).default(600),
  WEB_PROCESSES: z
    .union(
      [z.literal("auto").transform(() => Math.max(1, availableParallelism() - 1)), integer(1, 64, 4)],
      "must be auto or a whole number between 1 and 64, for example auto",
    )
    .default(1),
  SERVERS: integer(1, 1_000, 2).default(1),
  INDEX_MEMORY_MB: integer(0, 4_000, 512).optional(),
  SELF_SERVICE: onOrOff("SELF_SERVICE").default(true),
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: httpAddress("https://api.openai.com/v1").optional(),
  EMBEDDING_MODEL: text.default("text-embedding-3-small"),
  EMBEDDING_DIMENSIONS: integer(1, 16_000, 512).optional(),
  ANSWER_MODEL: text.default("gpt-4.1-mini"),
  EMBEDDING_MODEL_DIR: text.optional(),
  OCR_LANGUAGES: text
    .transform((value) => (OFF.includes(value.toLowerCase()) ? [] : value.split(/[\s,]+/)))
    .refine((codes) => codes.every((code) => /^[a-z]{3}(?:_[a-z]+)*$/.test(code)), LANGUAGE_CODES)
    .default(["eng", "ita"]),
  RERANK_MODEL_DIR: text.optional(),
  RERANK_BASE_URL: httpAddress("https://api.cohere.com").optional(),
  RERANK_API_KEY: text.optional(),
  RERANK_MODEL: text.default("rerank-v3.5"),
  SUPABASE_URL: httpAddress("https://abcdefgh.supabase.co").optional(),
  SUPABASE_SERVICE_ROLE_KEY: text.optional(),
  SUPABASE_BUCKET: text.optional(),
  SMTP_URL: address(["smtp:", "smtps:"], "smtp://user:password@mail.example.com:587").optional(),
  MAIL_FROM: text.includes("@", "must contain an email address, for example no-reply@example.com").optional(),
  OIDC_ISSUER: httpAddress("https://login.example.com").optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),
  LOG_LEVEL: z
    .enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent, for example info",
    )
    .default("info"),
});

type Variables = z.infer<typeof Variables>;

/** Every variable that Ragstone reads. */
export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape);

/** The environment as the code uses it: typed, with absolute paths; groups that are not configured are null. */
export type Env = ReturnType<typeof parseEnv>;

/**
 * Parses a record of variables; empty values count as unset, except languages of text recognition. Pure.
 * @param root the folder that relative paths are resolved against
 * @throws EnvironmentError for the first malformed, misspelt or half-configured variable
 */
export function parseEnv(record: Record<string, string | undefined>, root = projectRoot()) {
  const entries = Object.entries(record).flatMap(([name, value]) =>
    value?.trim() ? [[name, value.trim()] as const] : [],
  );
  refuseMisspelt(entries.map(([name]) => name));

  const parsed = Variables.safeParse(Object.fromEntries(entries));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new EnvironmentError(`${issue?.path.join(".")} ${issue?.message}`);
  }
  const v = parsed.data;
  requireTogether(v, ["SUPABASE_URL", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_BUCKET"]);
  requireTogether(v, ["SMTP_URL", "MAIL_FROM"]);
  requireTogether(v, ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]);
  if (v.DATABASE_REPLICA_URL) requireTogether(v, ["DATABASE_REPLICA_URL", "DATABASE_URL"]);
  if (v.RERANK_API_KEY) requireTogether(v, ["RERANK_API_KEY", "RERANK_BASE_URL"]);

  return Object.freeze({
    port: v.PORT,
    host: v.HOST,
    publicUrl: v.PUBLIC_URL ?? `http://localhost:${v.PORT}`,
    dataDir: path.resolve(root, v.DATA_DIR),
    databaseUrl: v.DATABASE_URL ?? null,
    databaseReplicaUrl: v.DATABASE_REPLICA_URL ?? null,
    sample: v.SAMPLE ?? !v.DATABASE_URL,
    authSecret: v.AUTH_SECRET ?? null,
    rateLimitPerMinute: v.RATE_LIMIT_PER_MINUTE,
    /** Processes of this server that answer requests. */
    webProcesses: v.WEB_PROCESSES,
    /** Servers that share the database and the requests. */
    servers: v.SERVERS,
    /** Megabytes for the indexes of companies in the memory of each web process; 0 keeps none. */
    indexMemoryMb: v.INDEX_MEMORY_MB ?? defaultIndexMemoryMb(v.WEB_PROCESSES),
    /**
     * Whether a company's admins may change its subscription and create companies; otherwise only the operator and
     * billing may.
     */
    selfService: v.SELF_SERVICE,
    openai:
      v.OPENAI_API_KEY || v.OPENAI_BASE_URL
        ? Object.freeze({
            apiKey: v.OPENAI_API_KEY ?? null,
            baseUrl: v.OPENAI_BASE_URL ?? "https://api.openai.com/v1",
            embeddingModel: v.EMBEDDING_MODEL,
            embeddingDimensions: v.EMBEDDING_DIMENSIONS ?? null,
            answerModel: v.ANSWER_MODEL,
          })
        : null,
    embeddingModelDir: v.EMBEDDING_MODEL_DIR ? path.resolve(root, v.EMBEDDING_MODEL_DIR) : null,
    /** The languages in which text is recognised on scanned pages and images; empty when recognition is off. */
    ocrLanguages: record.OCR_LANGUAGES?.trim() === "" ? [] : v.OCR_LANGUAGES,
    rerankModelDir: v.RERANK_MODEL_DIR ? path.resolve(root, v.RERANK_MODEL_DIR) : null,
    rerank: v.RERANK_BASE_URL
      ? Object.freeze({ baseUrl: v.RERANK_BASE_URL, apiKey: v.RERANK_API_KEY ?? null, model: v.RERANK_MODEL })
      : null,
    supabase:
      v.SUPABASE_URL && v.SUPABASE_SERVICE_ROLE_KEY && v.SUPABASE_BUCKET
        ? Object.freeze({
            url: v.SUPABASE_URL,
            serviceRoleKey: v.SUPABASE_SERVICE_ROLE_KEY,
            bucket: v.SUPABASE_BUCKET,
          })
        : null,
    smtp: v.SMTP_URL && v.MAIL_FROM ? Object.freeze({ url: v.SMTP_URL, from: v.MAIL_FROM }) : null,
    oidc:
      v.OIDC_ISSUER && v.OIDC_CLIENT_ID && v.OIDC_CLIENT_SECRET
        ? Object.freeze({
            issuer: v.OIDC_ISSUER,
            clientId: v.OIDC_CLIENT_ID,
            clientSecret: v.OIDC_CLIENT_SECRET,
          })
        : null,
    logLevel: v.LOG_LEVEL,
  });
}

let cached: Env | undefined;

/**
 * The environment of this process and of `.env` in the project root, read once; variables of the process take
 * precedence.
 * @throws EnvironmentError
 */
export function env(): Env {
  cached ??= loadEnv(projectRoot());
  return cached;
}

/** Like `env`, for another root and without caching. */
export function loadEnv(root: string): Env {
  loadEnvFile(root);
  return parseEnv(process.env, root);
}

/** Adds the variables of `.env` to those of this process, which take precedence. */
export function loadEnvFile(root: string): void {
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}

/** Checks that variables which only make sense together are all set, or none of them. */
function requireTogether(values: Variables, wanted: (keyof Variables)[]): void {
  const missing = wanted.filter((name) => values[name] === undefined);
  const present = wanted.filter((name) => values[name] !== undefined);
  if (missing.length === 0 || present.length === 0) return;
  throw new EnvironmentError(
    `${missing.join(" and ")} must be set together with ${present.join(" and ")}, or leave all of them unset`,
  );
}

function refuseMisspelt(names: string[]): void {
  for (const name of names) {
    const meant = nearestVariable(name, VARIABLE_NAMES);
    if (meant) throw new EnvironmentError(`${name} is not a Ragstone variable. Did you mean ${meant}?`);
  }
}
