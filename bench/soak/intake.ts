import { request } from "node:http";
import { json } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { COMPANY_HEADER } from "../../lib/auth/page-company.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { addSources } from "../../lib/knowledge/intake/add.ts";
import { sourceInput } from "../../lib/knowledge/intake/source-input.ts";
import { startProviderServer } from "../../lib/testing/provider-server.ts";
import { NO_LABELS, type Tenant } from "./product.ts";
import { untilSearchable } from "./wait.ts";

/**
 * Runs a fake embedding provider during `work`, because the bundled model needs far longer for a long text than the
 * reader.
 * @param work gets the environment variables of the provider
 */
export async function withQuickModel<Result>(work: (variables: Record<string, string>) => Promise<Result>) {
  const provider = await startProviderServer({ dimensions: 256 });
  try {
    return await work({
      OPENAI_BASE_URL: `${provider.url}/v1`,
      OPENAI_API_KEY: "none",
      EMBEDDING_DIMENSIONS: "256",
    });
  } finally {
    await provider.close();
  }
}

/** The response to an upload. */
interface Accepted {
  data?: { versionId: string };
  error?: string;
}

/** A response that arrives before the whole file is sent ends the upload, as in a browser. */
export function upload(url: string, { cookie, scope }: Tenant, name: string, bytes: Uint8Array): Promise<Accepted> {
  const { promise, resolve, reject } = Promise.withResolvers<Accepted>();
  const address = `${url}/knowledge/upload?${new URLSearchParams({ name, labels: NO_LABELS })}`;
  const headers = { Cookie: cookie, Origin: url, [COMPANY_HEADER]: scope.companyId };
  // a connection of its own, because making a file may take longer than an idle connection is kept
  const sent = request(address, { method: "POST", agent: false, headers }, (response) =>
    resolve(json(response).then(Object)),
  );
  sent.once("error", reject).end(bytes);
  return promise;
}

/** The state of a version, and whether its file has been read. */
export async function stateOf(scope: TenantScope, versionId: string) {
  const [row] = await scope.transaction((tx) =>
    tx.execute<{ state: string; error: string | null; read: boolean }>(sql`
      select state, error, coalesce((select bool_or(progress_total > 0) from ragstone.jobs
        where company_id = ${scope.companyId}::uuid and subject_id = ${versionId}::uuid), false) as read
      from ragstone.source_versions where company_id = ${scope.companyId}::uuid and id = ${versionId}::uuid`),
  );
  return row ?? { state: "gone", error: "The version is gone.", read: false };
}

/** Adds a source of one line. @returns milliseconds until the source is searchable */
export async function addLine({ scope }: Tenant, index: number): Promise<number[]> {
  const started = performance.now();
  const line = { sourceType: "document", sourceId: `line-${index}`, title: "Line", content: `Shelf ${index} is free.` };
  const accepted = await addSources(scope, CLI_ACTOR, [sourceInput.parse(line)]);
  await untilSearchable(
    scope,
    accepted.map(({ versionId }) => versionId),
  );
  return [performance.now() - started];
}
