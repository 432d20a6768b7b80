import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startApiServer } from "../../../bench/soak/api-server.ts";
import type { WebServer } from "../../../scripts/serve/http-server.ts";
import { createKey } from "../../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../audit/record.ts";
import { auditLog, jobs, sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { env } from "../../env.ts";
import { dataPaths } from "../../paths.ts";
import { sweepSpool } from "../../storage/spool.ts";
import { testDatabase } from "../../testing/database.ts";
import { document, newCompany } from "../../testing/knowledge.ts";

const { db } = testDatabase();

const OF_EACH_KIND = 8;
const KINDS = ["text", "file", "batch"] as const;
/** Stored before the kill, which meets the others on their way. */
const STORED = 6;

let web: WebServer;
beforeAll(async () => {
  web = await startApiServer();
});
afterAll(() => web.close(0));

/** A source of one of the kinds, as a request without a server. */
interface Put {
  sourceId: string;
  method: string;
  path: string;
  type: string;
  body: string;
}

const PUTS: Put[] = Array.from({ length: OF_EACH_KIND }, (_, index) => index).flatMap((index) =>
  KINDS.map((kind) => putOf(kind, `${kind}-${index}`)),
);

function putOf(kind: (typeof KINDS)[number], sourceId: string): Put {
  const text = `The marl of ${sourceId} is grey.`;
  const source = document(sourceId, text);
  const json = { sourceId, method: "PUT", path: "/sources", type: "application/json" };
  if (kind === "text") return { ...json, body: JSON.stringify(source) };
  if (kind === "file")
    return { ...json, path: `/sources/file?sourceId=${sourceId}`, type: "text/markdown", body: text };
  return { ...json, method: "POST", path: "/sources/batch", body: JSON.stringify({ sources: [source] }) };
}

async function send(url: string, token: string, { method, path, type, body }: Put): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": type };
  const response = await fetch(`${url}/v1/api${path}`, { method, headers, body });
  await response.text();
  return response.status;
}

/** Puts everything to a process of its own, which is killed when it has stored some of the sources. */
async function putAndKill({ companyId }: TenantScope, token: string): Promise<void> {
  const child = fork("bench/soak/api-process.ts", [], { execArgv: ["--import", "./scripts/start/quick-imports.ts"] });
  const exit = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = await Promise.race([once(child, "message"), exit.then(() => [])]);
  expect(url).toBeTypeOf("string");
  const answers = Promise.allSettled(PUTS.map((put) => send(url, token, put)));
  const stored = () => db.$count(sources, eq(sources.companyId, companyId));
  await vi.waitFor(async () => expect(await stored()).toBeGreaterThanOrEqual(STORED), { timeout: 60_000, interval: 5 });
  child.kill("SIGKILL");
  await exit;
  await answers;
  // what was on its way stays until it is 10 minutes old
  await sweepSpool(Date.now() + 11 * 60_000);
}

test("a web process is killed while it stores sources: nothing is doubled when all are put again", async () => {
  const scope = await newCompany("Killed");
  const key = { name: "Feed", scopes: ["ingest" as const], rateLimitPerMinute: 0 };
  const { token } = await createKey(scope, SYSTEM_ACTOR, key);
  await putAndKill(scope, token);
  const statuses = await Promise.all(PUTS.map((put) => send(web.address(), token, put)));
  expect(statuses.filter((status) => status !== 200 && status !== 202)).toEqual([]);
  // a source that is already stored is unchanged
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(STORED);
  const { companyId } = scope;
  const ofCompany = (table: typeof sources | typeof sourceVersions | typeof jobs) =>
    db.$count(table, eq(table.companyId, companyId));
  expect(await Promise.all([sources, sourceVersions, jobs].map(ofCompany))).toEqual(Array(3).fill(PUTS.length));
  expect(await readdir(join(dataPaths(env().dataDir).files, companyId))).toHaveLength(OF_EACH_KIND);
  const added = and(eq(auditLog.companyId, companyId), eq(auditLog.action, "knowledge.added"));
  expect(await db.$count(auditLog, added)).toBe(PUTS.length);
});
