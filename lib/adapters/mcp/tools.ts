import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { KeyActor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { issuesOf, notFound, parseInput, validationError } from "../../errors.ts";
import type { Refuse } from "../../http/endpoint.ts";
import { readAround } from "../../knowledge/browse/read-around.ts";
import { permalinkOf } from "../../retrieval/permalink.ts";
import { type RetrieveInput, retrieveRequest } from "../../retrieval/schema.ts";
import { retrievalOptions, retrieve } from "../../retrieval/service.ts";
import { askInput, askOutput, fetchInput, fetchOutput, searchInput, searchOutput } from "./schema.ts";

const EXCERPT_CHARS = 300;
/** About 10,000 tokens, which fit in every assistant's context. */
const FETCHED_CHARS_MAX = 40_000;

const annotations = { readOnlyHint: true, openWorldHint: false } as const;

/** One call of a tool. */
export interface ToolCall {
  scope: TenantScope;
  actor: KeyActor;
  requestId: string;
  signal: AbortSignal;
  publicUrl: string;
  refuse: Refuse;
}

/**
 * Registers the tools that a key may use: `search`, `fetch` and, where its policy allows answers, `ask`.
 * @param knowledge what the key can find, for the descriptions
 */
export function registerTools(server: McpServer, call: ToolCall, knowledge: string): void {
  server.registerTool(
    "search",
    {
      title: "Search the knowledge base",
      description: `Search ${knowledge}. Returns the chunks that match best, each with an id for the tool "fetch".`,
      inputSchema: logging(call, searchInput),
      outputSchema: searchOutput,
      annotations,
    },
    ({ query }) => answered(call, () => search(call, query)),
  );
  server.registerTool(
    "fetch",
    {
      title: "Read a result of a search",
      description: `Read the text around a search result in ${knowledge}.`,
      inputSchema: logging(call, fetchInput),
      outputSchema: fetchOutput,
      annotations,
    },
    ({ id }) => answered(call, () => fetchText(call, id)),
  );
  if (call.actor.policy.answers === false) return;
  server.registerTool(
    "ask",
    {
      title: "Ask the knowledge base",
      description: `Get an answer made only from ${knowledge}, with the results that it cites. The answer says so when the knowledge base does not have it.`,
      inputSchema: logging(call, askInput),
      outputSchema: askOutput,
      annotations,
    },
    ({ question, limit, ...filters }) =>
      answered(call, () => ask(call, { queryText: question, limit, filters, returnMode: "ai_generated_answer" })),
  );
}

/** The schema of a tool's arguments. The SDK checks them before it calls the tool, so the schema logs a refusal itself. */
function logging<Schema extends z.ZodType>(call: ToolCall, schema: Schema) {
  const standard = schema["~standard"];
  const validate: typeof standard.validate = (given) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) call.refuse(validationError(issuesOf(parsed.error)));
    return standard.validate(given);
  };
  return { "~standard": { ...standard, validate } };
}

/** The result in both forms that clients read, or a sentence about the error. Nothing else of an error may reach a model. */
async function answered(call: ToolCall, work: () => Promise<Record<string, unknown>>) {
  try {
    const structuredContent = await work();
    return { structuredContent, content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }] };
  } catch (error) {
    return { isError: true, content: [{ type: "text" as const, text: call.refuse(error).message }] };
  }
}

async function search(call: ToolCall, queryText: string): Promise<z.output<typeof searchOutput>> {
  const { results } = await retrieved(call, { queryText });
  return {
    results: results.map((result) => ({
      id: result.id,
      title: result.payload.title,
      url: permalinkOf(result, call.publicUrl),
      text: result.payload.content.slice(0, EXCERPT_CHARS).toWellFormed(),
    })),
  };
}

async function fetchText(call: ToolCall, id: string): Promise<z.output<typeof fetchOutput>> {
  if (!z.uuid().safeParse(id).success) throw notFound("Chunk");
  const { title, text, page, sourceId, sourceType, path, truncated, metadata } = await readAround(
    call.scope,
    call.actor,
    id,
    FETCHED_CHARS_MAX,
  );
  return {
    id,
    title,
    text,
    url: permalinkOf({ id, payload: { metadata } }, call.publicUrl),
    metadata: { sourceId, sourceType, path, ...(page !== null && { page }), truncated },
  };
}

async function ask(call: ToolCall, input: RetrieveInput): Promise<z.output<typeof askOutput>> {
  const { aiGeneratedAnswer = "", results } = await retrieved(call, input);
  return {
    answer: aiGeneratedAnswer,
    results: results.map((result, index) => ({
      n: index + 1,
      id: result.id,
      title: result.payload.title,
      url: permalinkOf(result, call.publicUrl),
      score: result.score,
    })),
  };
}

async function retrieved({ scope, actor, requestId, signal }: ToolCall, input: RetrieveInput) {
  const options = retrievalOptions(actor, { requestId, signal, via: "mcp" });
  const { response } = await retrieve(scope, parseInput(retrieveRequest, input), options);
  return response;
}
