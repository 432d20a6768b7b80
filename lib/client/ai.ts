import { jsonSchema, tool } from "ai";
import type { Ragstone } from "./client.ts";
import type { RetrieveFilters, RetrieveResponse } from "./types.ts";

export interface RagstoneToolOptions {
  filters?: RetrieveFilters;
  /** Maximum number of results: 5 by default. */
  limit?: number;
  /** When the model should use the tool. */
  description?: string;
}

const DESCRIPTION = "Search the company's knowledge base. Returns numbered results; cite them as [1], [2]….";

/** A tool for the AI SDK. The model gets numbered results, and the application gets the whole response. */
export function ragstoneTool(
  client: Pick<Ragstone, "retrieve">,
  { filters, limit = 5, description = DESCRIPTION }: RagstoneToolOptions = {},
) {
  return tool({
    description,
    inputSchema: jsonSchema<{ query: string }>({
      type: "object",
      properties: { query: { type: "string", description: "The question, as a full sentence." } },
      required: ["query"],
      additionalProperties: false,
    }),
    execute: ({ query }, { abortSignal }): Promise<RetrieveResponse> =>
      client.retrieve({ queryText: query, filters, limit }, { signal: abortSignal }),
    toModelOutput: ({ output }) => ({ type: "text", value: numberedResults(output) }),
  });
}

function numberedResults({ results }: RetrieveResponse): string {
  if (results.length === 0) return "No results.";
  return results.map(({ payload }, index) => `[${index + 1}] ${payload.title}\n${payload.content}`).join("\n\n");
}
