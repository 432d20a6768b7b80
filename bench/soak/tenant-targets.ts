import { globSync, readFileSync } from "node:fs";
import { z } from "zod";

/** Something that responds to HTTP requests: a page, a route, an API operation or a server action. */
export interface Target {
  kind: "page" | "route" | "api" | "action";
  name: string;
  method: string;
  /** The path, with `[param]` for an id. */
  path: string;
  /** The id of a server action. */
  actionId?: string;
}

const manifest = z.object({
  node: z.record(z.string(), z.object({ workers: z.record(z.string(), z.unknown()), exportedName: z.string() })),
});
const openapi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Finds all targets of the built application from its files, its build and its OpenAPI document. */
export async function discoverTargets(url: string): Promise<Target[]> {
  const pages = globSync("app/**/page.tsx").map((file): Target => {
    const path = addressOf(file);
    return { kind: "page", name: path, method: "GET", path };
  });
  const routes = globSync("app/**/route.ts").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const path = addressOf(file);
    const exported = VERBS.filter((verb) => new RegExp(`^export .*\\b${verb}\\b`, "m").test(source));
    return exported.map((method): Target => ({ kind: "route", name: `${method} ${path}`, method, path }));
  });
  const described = openapi.parse(await (await fetch(`${url}/v1/openapi.json`)).json());
  const operations = Object.entries(described.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb): Target => {
      const method = verb.toUpperCase();
      return { kind: "api", name: `${method} ${path}`, method, path: `/v1${path}` };
    }),
  );
  return [...pages, ...routes, ...operations, ...actions()];
}

/** Names of the query parameters that pages read. */
export function queryNames(): string[] {
  const found = globSync("app/**/*.{ts,tsx}").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return [...source.matchAll(/^\s*(\w+): parseAs|useQueryState\("(\w+)"/gm)].map(([, a, b]) => a ?? b ?? "");
  });
  return [...new Set(found)].sort();
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
