import { setTimeout } from "node:timers/promises";
import { tenantScope } from "../../lib/db/tenant.ts";
import { countUnfinishedJobs } from "../../lib/jobs/progress.ts";
import { completeSample, createSampleAccess, type SampleAccess } from "../../lib/sample/sample.ts";

const TIMEOUT_MS = 180_000;

/** Prints access to the sample company when it can be tried. If this is interrupted, the next start does it. */
export async function presentSample(companyId: string, address: string): Promise<void> {
  await waitUntilIngested(companyId);
  const access = await createSampleAccess(companyId);
  if (access) printSampleAccess(access, address);
  await completeSample();
}

/** Waits until the sample's knowledge is searchable, so that the first question gets good results. */
async function waitUntilIngested(companyId: string): Promise<void> {
  const started = Date.now();
  console.log("Processing the sample's documents …");
  while ((await unfinishedJobs(companyId)) > 0) {
    if (Date.now() - started > TIMEOUT_MS)
      return console.log("The sample's documents are still being processed in the background.");
    await setTimeout(500);
  }
  console.log(`Processing the sample's documents: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function unfinishedJobs(companyId: string): Promise<number> {
  const scope = tenantScope(companyId);
  return scope.transaction((tx) => countUnfinishedJobs(tx, scope.companyId));
}

/** Prints the sample's credentials, once: only hashes of the password and key are stored. */
function printSampleAccess({ email, password, token, question }: SampleAccess, address: string): void {
  const body = JSON.stringify({ queryText: question, limit: 3 }).replaceAll("'", "'\\''");
  console.log(`
A sample company is ready to try. These credentials are shown once:

  Address    ${address}
  Sign in    ${email}
  Password   ${password}
  API key    ${token}

Ask a question:

  curl -s ${address}/v1/api/rag/retrieve \\
    -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'
`);
}

/** Prints the code for the first admin while there is no user. Codes of earlier starts no longer work. */
export function printSetupCode(code: string, address: string): void {
  console.log(`
Create the first company and its admin:

  Address      ${address}/setup
  Set-up code  ${code}
`);
}
