import { allowsScope } from "../audit/key-scopes.ts";
import type { KeyScope } from "../db/column-values.ts";

/** The URL of the API, and the key that a snippet contains. */
interface Target {
  /** Without a trailing slash. */
  url: string;
  key: string;
}

export interface Snippet {
  /** Where to paste the snippet. */
  title: string;
  code: string;
}

/** A program that can use Ragstone, and how it is set up. Pure. */
export interface Connection {
  id: string;
  name: string;
  summary: string;
  /** The fewest scopes that the connection needs. */
  scopes: readonly KeyScope[];
  snippets: (target: Target) => readonly Snippet[];
}

const QUESTION = "How do I cancel my contract?";
const json = (value: unknown) => JSON.stringify(value, null, 2);
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const environment = ({ url, key }: Target): Snippet => ({
  title: "Set the URL and the key where the program runs",
  code: `export RAGSTONE_URL="${url}"\nexport RAGSTONE_API_KEY="${key}"`,
});

/** The client is not published in a registry. @param others packages that the snippet needs too */
const install = (...others: string[]): Snippet => ({
  title: "Build the client in Ragstone's folder, then install it in your project",
  code: [
    "node scripts/pack-client.mjs /path/to/your/project",
    ["npm install ./ragstone-client-0.1.0.tgz", ...others].join(" "),
  ].join("\n"),
});

export const CONNECTIONS: readonly Connection[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    summary: "Searches your knowledge while it works.",
    scopes: ["retrieve"],
    snippets: ({ url, key }) => [
      {
        title: "Run in a terminal",
        code: `claude mcp add --transport http ragstone ${url}/mcp \\\n  --header "Authorization: Bearer ${key}"`,
      },
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    summary: "Searches your knowledge from the editor.",
    scopes: ["retrieve"],
    snippets: ({ url, key }) => [
      {
        title: "Add to ~/.cursor/mcp.json",
        code: json({ mcpServers: { ragstone: { url: `${url}/mcp`, headers: bearer(key) } } }),
      },
    ],
  },
  {
    id: "vscode",
    name: "VS Code",
    summary: "Searches your knowledge from the editor's chat.",
    scopes: ["retrieve"],
    snippets: ({ url, key }) => [
      {
        title: "Add to .vscode/mcp.json",
        code: json({ servers: { ragstone: { type: "http", url: `${url}/mcp`, headers: bearer(key) } } }),
      },
    ],
  },
  {
    id: "dify",
    name: "Dify",
    summary: "An external knowledge base for your apps.",
    scopes: ["retrieve"],
    snippets: ({ url, key }) => [
      { title: "Knowledge › External Knowledge API: API Endpoint", code: `${url}/v1/api/dify` },
      { title: "API Key", code: key },
      {
        title: "External Knowledge ID: “all” for everything, or the beginning of a path, such as Support/Billing",
        code: "all",
      },
    ],
  },
  {
    id: "openai",
    name: "OpenAI SDK",
    summary: "Adds and searches files, as in an OpenAI vector store.",
    scopes: ["retrieve", "ingest"],
    snippets: (target) => [
      environment(target),
      {
        title: "Run npm install openai, then save this as add-and-search.mjs next to a file named contract.md",
        code: [
          'import { createReadStream } from "node:fs";',
          'import OpenAI from "openai";',
          "",
          "const { RAGSTONE_URL, RAGSTONE_API_KEY } = process.env;",
          'const client = new OpenAI({ apiKey: RAGSTONE_API_KEY, baseURL: RAGSTONE_URL + "/v1/api/openai" });',
          "const [store] = (await client.vectorStores.list()).data;",
          'const file = createReadStream("contract.md");',
          "const { status } = await client.vectorStores.files.uploadAndPoll(store.id, file);",
          "console.log(status);",
          `const found = await client.vectorStores.search(store.id, { query: "${QUESTION}" });`,
          "for (const { filename, content } of found.data) console.log(filename, content[0].text);",
        ].join("\n"),
      },
    ],
  },
  {
    id: "ai-sdk",
    name: "AI SDK",
    summary: "A tool that a model calls.",
    scopes: ["retrieve"],
    snippets: (target) => [
      environment(target),
      install("ai"),
      {
        title: "In your program",
        code: [
          'import { Ragstone } from "@ragstone/client";',
          'import { ragstoneTool } from "@ragstone/client/ai";',
          "",
          "export const tools = { knowledge: ragstoneTool(new Ragstone(), { limit: 5 }) };",
        ].join("\n"),
      },
    ],
  },
  {
    id: "langchain",
    name: "LangChain",
    summary: "A retriever for your chains.",
    scopes: ["retrieve"],
    snippets: (target) => [
      environment(target),
      install("@langchain/core"),
      {
        title: "search.mjs",
        code: [
          'import { Ragstone } from "@ragstone/client";',
          'import { RagstoneRetriever } from "@ragstone/client/langchain";',
          "",
          "const retriever = new RagstoneRetriever({ client: new Ragstone(), limit: 5 });",
          `for (const { pageContent } of await retriever.invoke("${QUESTION}")) console.log(pageContent);`,
        ].join("\n"),
      },
    ],
  },
  {
    id: "curl",
    name: "curl",
    summary: "Adds knowledge and asks, from a terminal.",
    scopes: ["retrieve", "ingest"],
    snippets: (target) => [
      environment(target),
      {
        title: "Add a source; the same sourceId replaces it",
        code: [
          'curl -X PUT "$RAGSTONE_URL/v1/api/sources" \\',
          '  -H "Authorization: Bearer $RAGSTONE_API_KEY" \\',
          '  -H "Content-Type: application/json" \\',
          `  -d '{"sourceType": "qa", "sourceId": "cancel", "question": "${QUESTION}", "answer": "In writing, with thirty days of notice."}'`,
        ].join("\n"),
      },
      {
        title: "Ask, a few seconds later",
        code: [
          'curl "$RAGSTONE_URL/v1/api/rag/retrieve" \\',
          '  -H "Authorization: Bearer $RAGSTONE_API_KEY" \\',
          '  -H "Content-Type: application/json" \\',
          `  -d '{"queryText": "${QUESTION}", "returnMode": "ai_generated_answer"}'`,
        ].join("\n"),
      },
    ],
  },
  {
    id: "http",
    name: "n8n or any HTTP client",
    summary: "One POST request.",
    scopes: ["retrieve"],
    snippets: ({ url, key }) => [
      { title: "POST to", code: `${url}/v1/api/rag/retrieve` },
      { title: "Headers", code: `Authorization: Bearer ${key}\nContent-Type: application/json` },
      { title: "Body", code: json({ queryText: QUESTION, limit: 5 }) },
    ],
  },
  {
    id: "ci",
    name: "Nightly ingest from CI",
    summary: "Sends the files of a folder that have changed.",
    scopes: ["manage"],
    snippets: (target) => [
      environment(target),
      install(),
      {
        title:
          "Run every night. --prune 20 also deletes the sources that are not in the folder, unless more than 20 would be deleted",
        code: "npx @ragstone/client ingest ./docs --prune 20",
      },
    ],
  },
];

/** Whether a key has every scope that the connection needs. */
export function canUseConnection(
  key: { scopes: readonly KeyScope[] },
  { scopes }: Pick<Connection, "scopes">,
): boolean {
  return scopes.every((scope) => allowsScope(key.scopes, scope));
}
