import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { closeConnection, connect, setConnection } from "../../lib/db/client.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { env } from "../../lib/env.ts";
import { addSources } from "../../lib/knowledge/intake/add.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { createMember } from "../../lib/members/service.ts";
import { dataPaths } from "../../lib/paths.ts";
import { type FilledCompany, filledCompany } from "../../lib/testing/filled-company.ts";
import { type BenchServer, startServer } from "../server.ts";
import { untilSearchable } from "./wait.ts";

const PASSWORD = "granite marl slate";

/** The label parameters of an upload without labels. */
export const NO_LABELS = JSON.stringify({ audience: [], contentCategory: "", path: "" });

/** The product as `npm start` runs it, with its own data folder. */
export interface Product extends BenchServer {
  dataDir: string;
}

/** A company with a member's session and an API key. */
export interface Tenant {
  scope: TenantScope;
  token: string;
  /** The `Cookie` header of its admin. */
  cookie: string;
}

interface ProductOptions {
  databaseUrl?: string;
  variables?: Record<string, string>;
  /** Receives the standard output and standard error of the product. */
  onOutput?: (text: string) => void;
}

/** Runs the product during `work`, on `databaseUrl` or on an embedded database. */
export async function withProduct<Result>(
  { databaseUrl, variables = {}, onOutput }: ProductOptions,
  work: (product: Product) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "ragstone-soak-"));
  const server = await startServer({ ...variables, DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? "" }, onOutput);
  setConnection(connect(databaseUrl ? { url: databaseUrl } : { dataDir }));
  try {
    return await work({ ...server, dataDir });
  } finally {
    await closeConnection();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Creates a company with these documents (texts by identifier) and waits until they are searchable. */
export async function addTenant({ url }: Product, name: string, documents: Record<string, string>): Promise<Tenant> {
  const scope = tenantScope((await createCompany(CLI_ACTOR, { name })).id);
  const { token } = await createKey(scope, CLI_ACTOR, { name: "soak", rateLimitPerMinute: 0 });
  const email = `${randomUUID()}@example.com`;
  await createMember(scope, CLI_ACTOR, { email, name: "Ada", role: "admin", password: PASSWORD });
  const given = Object.entries(documents).map(([sourceId, content]) => {
    return { sourceType: "document", sourceId, title: sourceId, content };
  });
  await addAndWait(scope, given);
  return { scope, token, cookie: await signIn(url, email) };
}

/** Creates a company with data in every table. Its files are stored by this process, so the product gets a copy. */
export async function addFilled({ dataDir }: Pick<Product, "dataDir">, word: string): Promise<FilledCompany> {
  const company = await filledCompany(word);
  const filesIn = (folder: string) => join(dataPaths(folder).files, company.scope.companyId);
  cpSync(filesIn(env().dataDir), filesIn(dataDir), { recursive: true });
  return company;
}

/** Adds sources in the form of a bulk file and waits until they are searchable. @throws {Error} when one fails */
export async function addAndWait(scope: TenantScope, sources: object[]): Promise<void> {
  const given = sources.map((source) => sourceInput.parse(source));
  const accepted = await addSources(scope, CLI_ACTOR, given);
  await untilSearchable(
    scope,
    accepted.map(({ versionId }) => versionId),
  );
}

/** Signs in as the browser does. @returns the `Cookie` header of the session */
async function signIn(url: string, email: string): Promise<string> {
  const token = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = Object(await token.json());
  const response = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookiesOf(token) },
    body: new URLSearchParams({ csrfToken, email, password: PASSWORD, json: "true" }),
  });
  const cookie = cookiesOf(response);
  if (!cookie.includes("session-token=")) throw new Error(`The sign-in failed: ${response.status}`);
  return cookie;
}

function cookiesOf({ headers }: Response): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
}
