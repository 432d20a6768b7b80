import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer } from "../../bench/soak/api-server.ts";
import type { WebServer } from "../../scripts/serve/http-server.ts";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { sources } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { dataPaths } from "../paths.ts";
import { testDatabase } from "../testing/database.ts";
import { newCompany } from "../testing/knowledge.ts";

const { db } = testDatabase();

const MIB = 1024 * 1024;
const FILE_MIB = 3;
const UPLOADS = 8;
const ALLOWED = 7;
/** Half of what a process that keeps whole files would take. */
const MEMORY_MAX = (2 * ALLOWED * FILE_MIB * MIB) / 2;
const PART = Buffer.alloc(64 * 1024, "Marl is a mudstone.\n");

let web: WebServer;
let companies: TenantScope[];
beforeAll(async () => {
  web = await startApiServer();
  companies = [await newCompany("First"), await newCompany("Second")];
});
afterAll(() => web.close(0));

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes of buffers in use. */
function bytesInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** A file with a content of its own, sent in parts. */
function fileOf(name: string, onLastPart: () => void): ReadableStream<Uint8Array> {
  let left = (FILE_MIB * MIB) / PART.byteLength;
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(`# ${name}\n\n`)),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(PART);
      onLastPart();
      controller.close();
    },
  });
}

async function upload(token: string, name: string, onLastPart: () => void): Promise<number> {
  const init: RequestInit & { duplex: "half" } = {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/markdown" },
    body: fileOf(name, onLastPart),
    duplex: "half",
  };
  const response = await fetch(`${web.address()}/v1/api/sources/file?sourceId=${name}.md`, init);
  await response.text();
  return response.status;
}

test("parallel uploads take little memory, stay within the limit of their key, and leave no temporary file", async () => {
  const incoming = await readdir(dataPaths(env().dataDir).incoming).catch(() => []);
  const before = bytesInUse();
  let most = before;
  const measure = () => {
    most = Math.max(most, bytesInUse());
  };
  const statuses = await Promise.all(
    companies.map(async (scope) => {
      const key = { name: "Uploads", scopes: ["ingest" as const], rateLimitPerMinute: ALLOWED };
      const { token } = await createKey(scope, SYSTEM_ACTOR, key);
      return Promise.all(
        Array.from({ length: UPLOADS }, (_, index) =>
          upload(token, `file-${index}`, index % 3 === 0 ? measure : () => undefined),
        ),
      );
    }),
  );
  for (const [index, { companyId }] of companies.entries()) {
    const expected = Array.from({ length: UPLOADS }, (_, upload) => (upload < ALLOWED ? 202 : 429));
    expect(statuses[index]?.toSorted()).toEqual(expected);
    expect(await db.$count(sources, eq(sources.companyId, companyId))).toBe(ALLOWED);
    expect(await readdir(join(dataPaths(env().dataDir).files, companyId))).toHaveLength(ALLOWED);
  }
  expect(await readdir(dataPaths(env().dataDir).incoming)).toEqual(incoming);
  expect(most - before).toBeLessThan(MEMORY_MAX);
});
