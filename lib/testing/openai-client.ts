import OpenAI, { APIError, toFile } from "openai";
import { afterAll, beforeAll } from "vitest";
import type { CreateKeyInput } from "../api-keys/schema.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { newCompany } from "./knowledge.ts";

interface ApiServer {
  address(): string;
  close(graceMs: number): Promise<void>;
}

type KeyInput = Partial<CreateKeyInput> & { of?: TenantScope };

/**
 * A company and OpenAI's clients of its API, for the tests of one file.
 * @param start starts the HTTP server with all routes
 */
export function openaiCompany(start: () => Promise<ApiServer>) {
  let web: ApiServer;
  let scope: TenantScope;
  beforeAll(async () => {
    web = await start();
    scope = await newCompany("Norte Energy");
  });
  afterAll(() => web.close(0));
  return {
    get address() {
      return web.address();
    },
    get scope() {
      return scope;
    },
    /** The name of the company's vector store. */
    get store() {
      return storeOf(scope);
    },
    /** A client with a new key, of the given company or else the first, which may read and write by default. */
    async client({ of = scope, ...input }: KeyInput = {}): Promise<OpenAI> {
      const scopes: CreateKeyInput["scopes"] = ["retrieve", "manage"];
      const { token } = await createKey(of, SYSTEM_ACTOR, { name: "OpenAI", scopes, rateLimitPerMinute: 0, ...input });
      return new OpenAI({ apiKey: token, baseURL: `${web.address()}/v1/api/openai`, maxRetries: 0 });
    },
    /** Uploads a file and attaches it, without waiting until it is processed. */
    async attach(openai: OpenAI, name: string, text: string, attributes: Record<string, string> = {}) {
      const { id } = await openai.files.create({ file: await textFile(name, text), purpose: "assistants" });
      return openai.vectorStores.files.create(storeOf(scope), { file_id: id, attributes });
    },
  };
}

/** The name of a company's vector store. */
export function storeOf({ companyId }: TenantScope): string {
  return `vs_${companyId.replaceAll("-", "")}`;
}

/** A file for OpenAI's client. */
export function textFile(name: string, text: string) {
  return toFile(Buffer.from(text), name);
}

/** What OpenAI's client reports about a call that must fail. */
export async function apiErrorOf(call: Promise<unknown>) {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw new Error("expected an error of the API", { cause: error });
  const { status, type, code, param, message } = error;
  return { status, type, code, param, message };
}
