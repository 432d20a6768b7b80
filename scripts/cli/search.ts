import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { companyScope } from "../../lib/companies/service.ts";
import { parseInput } from "../../lib/errors.ts";
import { retrieveRequest } from "../../lib/retrieval/schema.ts";
import { retrieve } from "../../lib/retrieval/service.ts";
import { example, numberOf, run, say } from "./context.ts";

const PREVIEW_CHARACTERS = 160;

interface SearchOptions {
  company: string;
  limit?: string;
  threshold?: string;
  rerank?: boolean;
  audience?: string;
}

export function searchCommand(search: Command): void {
  search
    .argument("<query>", "the question")
    .requiredOption("--company <id>", "the company")
    .option("--limit <n>", "maximum number of results; 10 by default")
    .option("--threshold <x>", "only results whose score is at least this, from 0 to 1")
    .option("--rerank", "rerank the best results by a closer comparison with the question")
    .option("--audience <a>", "only chunks for this audience")
    .action((queryText: string, options: SearchOptions, command: Command) =>
      run(command, async () => {
        const scope = await companyScope(options.company);
        const request = parseInput(retrieveRequest, {
          queryText,
          limit: numberOf(options.limit),
          scoreThreshold: numberOf(options.threshold),
          useRerank: options.rerank,
          filters: { audience: options.audience },
        });
        const { response, degraded } = await retrieve(scope, request, { requestId: randomUUID(), origin: "cli" });
        if (degraded.length > 0) say(`Unavailable: ${degraded.join(", ")}`);
        const lines = response.results.map(
          ({ score, payload }) =>
            `${score.toFixed(3)}  ${payload.title}  (${payload.sourceId})\n       ${preview(payload.content)}`,
        );
        return { value: response, lines: [...lines, `${response.total} results in ${response.retrievalTimeMs} ms`] };
      }),
    );
  example(search, 'search --company <id> "How do I get a refund?" --limit 3 --rerank');
}

function preview(content: string): string {
  const line = content.replace(/\s+/g, " ");
  return line.length <= PREVIEW_CHARACTERS ? line : `${line.slice(0, PREVIEW_CHARACTERS)}…`;
}
