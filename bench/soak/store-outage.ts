import { setTimeout } from "node:timers/promises";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { COMPANY_HEADER } from "../../lib/auth/page-company.ts";
import { outcomeOf, progressOf } from "../../lib/knowledge/ingest/progress.ts";
import { BUCKET_KEY, startBucketServer } from "../../lib/testing/bucket-server.ts";
import { answerFault } from "./answer-fault.ts";
import { type MachineRun, type Measured, row } from "./machine.ts";
import { addTenant, NO_LABELS, type Product, type Tenant, withProduct } from "./product.ts";

const FILES = 5;
const OUTAGE_MS = { short: 4_000, full: 20_000 };
const REFUSED_WITHIN_MS = 3_000;
const SEARCHABLE_WITHIN_MS = 60_000;

/** Makes the object store unavailable while accepted files wait to be processed, then available again. */
export async function loseObjectStore({ short, say }: MachineRun): Promise<Measured[]> {
  const bucket = await startBucketServer();
  const variables = {
    SUPABASE_URL: bucket.url,
    SUPABASE_SERVICE_ROLE_KEY: BUCKET_KEY,
    SUPABASE_BUCKET: "originals",
  };
  try {
    return await withProduct({ variables }, async (product) => {
      const tenant = await addTenant(product, "Store", { opening: "The museum opens at nine." });
      const names = Array.from({ length: FILES }, (_, index) => `hall-${index}.md`);
      const accepted = await Promise.all(names.map((name) => upload(product, tenant, name)));
      bucket.fail((response) => response.writeHead(503).end());
      const began = performance.now();
      const refused = await upload(product, tenant, "late.md");
      const refusedMs = performance.now() - began;
      const served = await ask(product, tenant);
      await setTimeout(short ? OUTAGE_MS.short : OUTAGE_MS.full);
      bucket.fail(null);
      const back = performance.now();
      const versionIds = accepted.flatMap(({ versionId }) => versionId ?? []);
      const isDone = async () => (await progressOf(tenant.scope, CLI_ACTOR, versionIds)).done === FILES;
      while (!(await isDone()) && performance.now() - back < 2 * SEARCHABLE_WITHIN_MS) await setTimeout(250);
      const waited = Math.round(performance.now() - back);
      const { failed, chunks } = await outcomeOf(tenant.scope, CLI_ACTOR, versionIds);
      say(`object store unavailable: ${refused.status} ${refused.error ?? ""}`);
      const promised = `uploads get 503 with Retry-After within ${REFUSED_WITHIN_MS / 1_000} s`;
      return [
        row(
          promised,
          `${refused.status} in ${Math.round(refusedMs)} ms`,
          refused.status === 503 && refused.retryAfter && refusedMs < REFUSED_WITHIN_MS,
        ),
        row("questions get answers with results", served ?? "results", served === null),
        row(
          `accepted files are searchable within ${SEARCHABLE_WITHIN_MS / 1_000} s after its return`,
          `${versionIds.length - failed.length} of ${FILES} with ${chunks} chunks in ${waited} ms`,
          versionIds.length === FILES && failed.length === 0 && chunks >= FILES && waited < SEARCHABLE_WITHIN_MS,
        ),
      ].map((each) => ({ ...each, promise: `object store unavailable: ${each.promise}` }));
    });
  } finally {
    await bucket.close();
  }
}

async function upload({ url }: Product, { cookie, scope }: Tenant, name: string) {
  const response = await fetch(`${url}/knowledge/upload?${new URLSearchParams({ name, labels: NO_LABELS })}`, {
    method: "POST",
    headers: { cookie, [COMPANY_HEADER]: scope.companyId },
    body: `# Hall\n\nThe pictures of ${name} hang here.`,
  });
  const { data, error }: { data?: { versionId: string }; error?: string } = Object(await response.json());
  return { status: response.status, retryAfter: response.headers.has("retry-after"), error, ...data };
}

/** @returns what is wrong with the answer */
async function ask({ url }: Product, { token }: Tenant): Promise<string | null> {
  const response = await fetch(`${url}/v1/api/rag/retrieve`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ queryText: "When does the museum open?" }),
  });
  return response.status === 200 ? answerFault(response, await response.text()) : `status ${response.status}`;
}
