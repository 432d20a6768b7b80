import { globSync, readFileSync } from "node:fs";
import { z } from "zod";
import { difyBody } from "../../lib/testing/dify-request.ts";

/** Something that responds to HTTP requests: a page, a route, an API operation or a server action. */
export interface Target {
  kind: "page" | "route" | "api" | "action";
  name: string;
  method: string;
  /** The path, with `[param]` for an id. */
  path: string;
  /** The id of a server action. */
  actionId?: string;
  /** What the input of an API operation looks like. */
  operation?: Operation;
}

interface Operation {
  /** A body that the operation accepts. */
  example: unknown;
  /** Whether the body is a form with a file. */
  form: boolean;
  /** Names of the query parameters. */
  queries: string[];
}

const manifest = z.object({
  node: z.record(z.string(), z.object({ workers: z.record(z.string(), z.unknown()), exportedName: z.string() })),
});
const described = z.object({
  parameters: z.array(z.object({ in: z.string(), name: z.string() })).default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          example: z.unknown().optional(),
          examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
        }),
      ),
    })
    .optional(),
});
const openapi = z.object({ paths: z.record(z.string(), z.record(z.string(), described)) });
const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const PARAMETER = /\[+(?:\.\.\.)?(\w+)\]+/g;

const NO_INPUT: Operation = { example: undefined, form: false, queries: [] };
/** The operations that are not in the OpenAPI document, with bodies that they accept. */
const UNDESCRIBED: Record<string, Record<string, unknown>> = {
  "POST /mcp": {
    "tools/list": mcpMessage("tools/list", {}),
    search: mcpMessage("tools/call", { name: "search", arguments: { query: "" } }),
    fetch: mcpMessage("tools/call", { name: "fetch", arguments: { id: "" } }),
    ask: mcpMessage("tools/call", { name: "ask", arguments: { question: "", contentCategory: [""], path: [""] } }),
  },
  "POST /v1/api/dify/retrieval": { "": difyBody() },
  "POST /v1/api/dify/retrieval/retrieval": { "": difyBody() },
};

/** Finds all targets of the built application from its files, its build and its OpenAPI document. */
export async function discoverTargets(url: string): Promise<Target[]> {
  const pages = globSync("app/**/page.tsx").map((file): Target => {
    const path = addressOf(file);
    return { kind: "page", name: path, method: "GET", path };
  });
  return [...pages, ...(await discoverRoutes(url)), ...actions()];
}

/** Finds the routes and API operations of some files. */
export async function discoverRoutes(url: string, files = "app/**/route.ts"): Promise<Target[]> {
  const operations = await describedOperations(url);
  const routes = await Promise.all(globSync(files).map((file) => routesOf(url, file, operations)));
  return routes.flat();
}

/** Names of the query parameters that pages read. */
export function queryNames(): string[] {
  const found = globSync("app/**/*.{ts,tsx}").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return [...source.matchAll(/^\s*(\w+): parseAs|useQueryState\("(\w+)"/gm)].map(([, a, b]) => a ?? b ?? "");
  });
  return [...new Set(found)].sort();
}

/** Fills the parameters of a path by their names. */
export function fillPath({ path }: Target, textOf: (name: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => textOf(name));
}

async function routesOf(url: string, file: string, operations: Map<string, Operation>): Promise<Target[]> {
  const source = readFileSync(file, "utf8");
  const path = addressOf(file);
  const exported = VERBS.filter((verb) => new RegExp(`^export .*\\b${verb}\\b`, "m").test(source));
  // every route of the API exports all verbs, but tells which ones it supports
  const methods = exported.includes("OPTIONS")
    ? await supportedMethods(url + path.replaceAll(PARAMETER, "x"))
    : exported;
  return methods.flatMap((method): Target[] => {
    const name = `${method} ${path}`;
    if (!/^\/(?:v1|mcp)/.test(path)) return [{ kind: "route", name, method, path }];
    const bodies = Object.entries(UNDESCRIBED[name] ?? {});
    const operation = operations.get(name) ?? NO_INPUT;
    if (bodies.length === 0) return [{ kind: "api", name, method, path, operation }];
    return bodies.map(([about, example]) => {
      return { kind: "api", name: `${name} ${about}`.trim(), method, path, operation: { ...NO_INPUT, example } };
    });
  });
}

/** The methods of a path, but for those that have no body of their own. */
async function supportedMethods(address: string): Promise<string[]> {
  const { headers } = await fetch(address, { method: "OPTIONS" });
  return (headers.get("allow") ?? "").split(", ").filter((method) => !["", "HEAD", "OPTIONS"].includes(method));
}

/** The operations of the OpenAPI document, by method and path. */
async function describedOperations(url: string): Promise<Map<string, Operation>> {
  const { paths } = openapi.parse(await (await fetch(`${url}/v1/openapi.json`)).json());
  const operations = Object.entries(paths).flatMap(([path, byVerb]) =>
    Object.entries(byVerb).map(([verb, { parameters, requestBody }]): [string, Operation] => {
      const content = requestBody?.content ?? {};
      const { example, examples = {} } = content["application/json"] ?? {};
      const queries = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
      return [
        `${verb.toUpperCase()} /v1${path.replaceAll("{", "[").replaceAll("}", "]")}`,
        { example: example ?? Object.values(examples)[0]?.value, form: "multipart/form-data" in content, queries },
      ];
    }),
  );
  return new Map(operations);
}

function mcpMessage(method: string, params: object) {
  return { jsonrpc: "2.0", id: 1, method, params };
}

function actions(): Target[] {
  const { node } = manifest.parse(JSON.parse(readFileSync(".next/server/server-reference-manifest.json", "utf8")));
  return Object.entries(node).map(([actionId, { workers, exportedName }]): Target => {
    const path = addressOf(`${Object.keys(workers)[0]}.tsx`);
    return { kind: "action", name: exportedName, method: "POST", path, actionId };
  });
}

/** The path of a file: `app/(dashboard)/knowledge/[id]/page.tsx` serves `/knowledge/[id]`. */
function addressOf(file: string): string {
  const path = file
    .replace(/^app/, "")
    .replaceAll(/\/\([^/]+\)/g, "")
    .replace(/\/(page\.tsx|route\.ts)$/, "");
  return path || "/";
}
