import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COMPANY_HEADER, COMPANY_PARAM } from "../../lib/auth/page-company.ts";
import { CANARY } from "./canary.ts";
import type { Findings } from "./findings.ts";
import type { KnownValues } from "./known-values.ts";
import type { Tenant } from "./product.ts";
import type { Random } from "./random.ts";

const HOSTILE = [
  "",
  "%00",
  "a%00b",
  "%ed%a0%80",
  "%ff",
  "%",
  "9".repeat(20),
  "-1",
  "1e308",
  "NaN",
  "+275760-09-01",
  "0000-00-00",
  "..%2f..%2f",
  "%3Cscript%3E",
  "x".repeat(5_000),
  "[]",
  "%7B%22a%22:1%7D",
  "null",
  "true",
  "2024-01-31",
  "ready",
  "%F0%9F%8F%9B",
  "%2f%2fevil.example",
  "%25%25%25",
  "_%25_",
  "%5C",
] as const;
const BODIES = [
  "",
  "{",
  "\0",
  "question,answer\n\0,\ud800\n",
  "x".repeat(10_000),
  '{"format":"ragstone-knowledge","version":1}\n{"a":"\\u0000"}',
] as const;

/** A request to a dashboard page or member route, with any URL. */
interface PageRequest {
  path: string;
  init: RequestInit;
}

interface Site {
  pages: readonly [string, ...string[]];
  params: readonly [string, ...string[]];
}

interface PageFuzz {
  known: KnownValues;
  findings: Findings;
  random: Random;
}

const site = readSite();

/** Sends one request to the dashboard with a member's session, and counts its faults like those of the API. */
export async function fuzzPage(url: string, tenant: Tenant, { known, findings, random }: PageFuzz): Promise<void> {
  const { path, init } = pageRequest(random, known, tenant);
  const started = performance.now();
  const response = await fetch(url + path, { ...init, redirect: "manual" });
  const body = await response.text();
  const breaches = response.status >= 500 ? [`a page answered ${response.status}`] : [];
  if (body.includes(CANARY)) breaches.push("another company's text");
  if (/\n {4}at /.test(body)) breaches.push("a stack");
  const what = `${init.method ?? "GET"} ${path.slice(0, 200)}`;
  findings.note(what, response.status, breaches, performance.now() - started);
}

/** The pages, routes and query parameters in the source code. */
function readSite(): Site {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" });
  const pages = files.flatMap((file) => {
    const folder = /^(.*?)\/?(?:page\.tsx|route\.ts)$/.exec(file)?.[1];
    return folder === undefined || folder.startsWith("v1") ? [] : [`/${folder.replaceAll(/\([^)]*\)\/?/g, "")}`];
  });
  const params = files
    .filter((file) => file.endsWith("search-params.ts"))
    .flatMap((file) =>
      [...readFileSync(join("app", file), "utf8").matchAll(/(\w+): parseAs/g)].map(([, name = ""]) => name),
    );
  return { pages: ["/", ...pages], params: [COMPANY_PARAM, ...new Set(params), "name", "labels", "step"] };
}

function pageRequest(random: Random, known: KnownValues, { cookie, scope }: Tenant): PageRequest {
  const { pages, params } = site;
  const id = () => known.pick("id", random) ?? randomUUID();
  const page = random.pick(pages).replaceAll(/\[[^\]]*\]/g, () => (random.chance(0.5) ? id() : random.pick(HOSTILE)));
  const query = Array.from(
    { length: random.between(0, 4) },
    () => `${random.pick(params)}=${random.chance(0.1) ? id() : random.pick(HOSTILE)}`,
  );
  const company = random.chance(0.5) ? [`${COMPANY_PARAM}=${scope.companyId}`] : [];
  const path = `${page}?${[...company, ...query].join("&")}`;
  // only valid requests to the auth routes, which would end the session or slow down after failures
  if (page.startsWith("/api/auth") || random.chance(0.8)) return { path, init: { headers: { Cookie: cookie } } };
  const headers = { Cookie: cookie, [COMPANY_HEADER]: scope.companyId };
  const type = random.pick([
    "text/plain",
    "application/json",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
  ]);
  const action: Record<string, string> = random.chance(0.3)
    ? { "Next-Action": random.pick(["x", "0".repeat(42), "7f"]) }
    : {};
  const init = { method: "POST", headers: { ...headers, ...action, "Content-Type": type }, body: random.pick(BODIES) };
  return { path, init };
}
