import OpenAI, { APIError, toFile } from "openai";
import type { CreateKeyInput } from "../api-keys/schema.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";

/** OpenAI's client with a new key of the company, which may read and write unless told otherwise. */
export async function openaiClient(
  web: { address(): string },
  scope: TenantScope,
  input: Partial<CreateKeyInput> = {},
): Promise<OpenAI> {
  const scopes: CreateKeyInput["scopes"] = ["retrieve", "manage"];
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "OpenAI", scopes, rateLimitPerMinute: 0, ...input });
  return new OpenAI({ apiKey: token, baseURL: `${web.address()}/v1/api/openai`, maxRetries: 0 });
}

/** A file for OpenAI's client. */
export function textFile(name: string, text: string) {
  return toFile(Buffer.from(text), name);
}

/** Uploads a file and attaches it to a store, without waiting until it is read. */
export async function attachFile(
  openai: OpenAI,
  store: string,
  { name, text, attributes = {} }: { name: string; text: string; attributes?: Record<string, string> },
) {
  const { id } = await openai.files.create({ file: await textFile(name, text), purpose: "assistants" });
  return openai.vectorStores.files.create(store, { file_id: id, attributes });
}

/** What OpenAI's client reports about a call that must fail. */
export async function apiErrorOf(call: Promise<unknown>) {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof APIError)) throw new Error("expected an error of the API", { cause: error });
  const { status, type, code, param, message } = error;
  return { status, type, code, param, message };
}
