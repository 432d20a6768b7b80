import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { numberOf } from "../../lib/client/cli/commands.ts";
import { metadataOf } from "../../lib/client/cli/metadata-option.ts";
import { searchOutcome, searchRemotely } from "../../lib/client/cli/search.ts";
import { type Outcome, say } from "../../lib/client/cli/terminal.ts";
import { companyScope } from "../../lib/companies/service.ts";
import { parseInput } from "../../lib/errors.ts";
import { searchInDatabase } from "../../lib/retrieval/memory/index-memory.ts";
import { type RetrieveInput, retrieveRequest } from "../../lib/retrieval/schema.ts";
import { retrieve } from "../../lib/retrieval/service.ts";
import { example, interrupted } from "./context.ts";
import { companyOption, runInPlace } from "./remote.ts";

interface SearchOptions {
  limit?: string;
  threshold?: string;
  rerank?: boolean;
  audience?: string;
  metadata?: string[];
}

export function searchCommand(search: Command): void {
  companyOption(search)
    .argument("<query>", "the question")
    .option("--limit <n>", "maximum number of results; 10 by default")
    .option("--threshold <x>", "only results whose score is at least this, from 0 to 1")
    .option("--rerank", "rerank the best results by comparing each with the question")
    .option("--audience <a>", "only chunks for this audience")
    .option(
      "--metadata <condition>",
      "only sources with this metadata: key=value or a JSON object; may be repeated",
      (condition: string, before: string[] = []) => [...before, condition],
    )
    .action((queryText: string, options: SearchOptions, command: Command) =>
      runInPlace(command, {
        remote: (client) => searchRemotely(client, requestOf(queryText, options), { signal: interrupted }),
        local: (companyId) => searchLocally(companyId, requestOf(queryText, options)),
      }),
    );
  example(search, 'search --company <id> "How do I get a refund?" --limit 3 --rerank');
}

/** @throws {RagstoneError} if an option is malformed */
function requestOf(queryText: string, options: SearchOptions) {
  return {
    queryText,
    limit: numberOf("--limit", options.limit),
    scoreThreshold: numberOf("--threshold", options.threshold),
    useRerank: options.rerank,
    filters: { audience: options.audience, metadata: metadataOf(options.metadata) },
  };
}

async function searchLocally(companyId: string, request: RetrieveInput): Promise<Outcome> {
  searchInDatabase();
  const scope = await companyScope(companyId);
  const parsed = parseInput(retrieveRequest, request);
  const { response, degraded } = await retrieve(scope, parsed, { requestId: randomUUID(), origin: "cli" });
  if (degraded.length > 0) say(`Unavailable: ${degraded.join(", ")}`);
  return searchOutcome(response);
}
