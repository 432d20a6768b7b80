import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany } from "../companies/service.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { unfinishedVersions } from "../knowledge/ingest/progress.ts";
import { addSources } from "../knowledge/intake/add.ts";
import { type SourceInput, sourceInput } from "../knowledge/intake/source-input.ts";
import { type RetrieveInput, retrieveRequest } from "../retrieval/schema.ts";
import { type RetrieveOptions, retrieve } from "../retrieval/service.ts";
import { runWorker } from "../worker/worker.ts";

/** Creates a company for one test. */
export async function newCompany(name = "Test company"): Promise<TenantScope> {
  return tenantScope((await createCompany(SYSTEM_ACTOR, { name })).id);
}

/** Creates a company with these sources, which are searchable. */
export async function companyWith(...given: unknown[]): Promise<TenantScope> {
  const scope = await newCompany();
  await addAndIngest(scope, ...given);
  return scope;
}

/** Runs all queued jobs of the company. */
export async function work(scope: TenantScope): Promise<void> {
  await runWorker({ signal: new AbortController().signal, companyId: scope.companyId, untilIdle: true });
}

/** Ingests sources and waits until they are searchable. */
export async function addAndIngest(scope: TenantScope, ...sources: unknown[]) {
  const accepted = await addSources(
    scope,
    SYSTEM_ACTOR,
    sources.map((source): SourceInput => sourceInput.parse(source)),
  );
  await workUntilDone(scope, accepted);
  return accepted;
}

/** Works until these versions are done, even where another worker has taken some of them. */
export async function workUntilDone(scope: TenantScope, accepted: { versionId: string }[]): Promise<void> {
  const versionIds = accepted.map(({ versionId }) => versionId);
  let waiting: Set<string>;
  do {
    await work(scope);
    waiting = await unfinishedVersions(scope, SYSTEM_ACTOR, versionIds);
  } while (waiting.size > 0);
}

/** Runs a retrieval as the API does. */
export async function ask(scope: TenantScope, input: RetrieveInput, options: Partial<RetrieveOptions> = {}) {
  const request = retrieveRequest.parse(input);
  return retrieve(scope, request, { requestId: crypto.randomUUID(), origin: "api", ...options });
}

export function document(sourceId: string, content: string, more: object = {}) {
  return { sourceType: "document", sourceId, title: sourceId, content, ...more };
}
