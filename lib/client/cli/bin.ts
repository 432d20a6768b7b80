#!/usr/bin/env node
/** The command line for machines without the server: `npx @ragstone/client <command>`. */
import { parseArgs } from "node:util";
import { runCommand } from "./commands.ts";

// a reader such as `head` may stop early
process.stdout.on("error", () => undefined);
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      audience: { type: "string" },
      metadata: { type: "string", multiple: true },
      category: { type: "string" },
      path: { type: "string" },
      yes: { type: "boolean" },
      wait: { type: "boolean" },
      prune: { type: "string" },
      limit: { type: "string" },
      threshold: { type: "string" },
      rerank: { type: "boolean" },
      "source-id": { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { value, lines, failure } = await runCommand(positionals, values);
  process.stdout.write(values.json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(""));
  if (failure) throw new Error(failure);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
