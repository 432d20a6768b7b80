import { z } from "zod";
import { fileId, vectorStoreId } from "../../lib/adapters/openai/ids.ts";
import { createKey } from "../../lib/api-keys/service.ts";
import { CLI_ACTOR } from "../../lib/audit/record.ts";
import { createCompany } from "../../lib/companies/service.ts";
import { KEY_SCOPES } from "../../lib/db/column-values.ts";
import { type TenantScope, tenantScope } from "../../lib/db/tenant.ts";
import { readApiDocument } from "./api-document.ts";
import { CANARY, FOREIGN_WORD } from "./canary.ts";
import type { FuzzTarget } from "./contract-fuzz.ts";
import { asker } from "./contract-invariants.ts";
import type { Findings } from "./findings.ts";
import { type CompanyValues, KnownValues } from "./known-values.ts";
import type { Random } from "./random.ts";

interface Setup {
  url: string;
  /** The company whose knowledge stays the same, so that invariants hold. */
  asked: TenantScope;
  /** The sources of that company. */
  documents: object[];
  /** Adds sources and waits until they are searchable. */
  addAndWait(scope: TenantScope, sources: object[]): Promise<unknown>;
  findings: Findings;
  random: Random;
}

const listed = z.object({
  sources: z.array(z.object({ id: z.string(), sourceId: z.string(), versionId: z.string() })),
});
const uploaded = z.object({ id: z.string() });
const DELETED = 2;
const UPLOADS = 4;

/**
 * Prepares three companies: one that is asked, one whose sources requests change and delete, and one that no other may
 * see. @throws {Error} when the first or the last finds nothing, because then no check could fail
 */
export async function prepareFuzz({ url, asked, documents, addAndWait, findings, random }: Setup): Promise<FuzzTarget> {
  const [changing, foreign] = [await newScope("Changing"), await newScope("Other")];
  await Promise.all([
    addAndWait(asked, documents),
    addAndWait(changing, changingSources()),
    addAndWait(foreign, [
      text("secret", `The other company's word is ${FOREIGN_WORD}. Its secret is ${CANARY}.`),
      {
        sourceType: "qa",
        sourceId: "secret-question",
        question: `What is ${FOREIGN_WORD}?`,
        answer: `It is ${CANARY}.`,
      },
    ]),
  ]);
  const token = await tokenOf(asked, { scopes: ["retrieve"] });
  const copilotToken = await tokenOf(asked, { scopes: ["retrieve"], policy: { audience: ["copilot"] } });
  const [managerToken, foreignToken] = [await tokenOf(changing, {}), await tokenOf(foreign, {})];
  const chunks = await requireAnswers(url, token, foreignToken);
  const values = await valuesOf(url, foreign, foreignToken);
  const theirs = { ...values, id: [...values.id, ...chunks] };
  const known = new KnownValues(await changingValues(url, changing, managerToken), theirs);
  const knownToAsked = new KnownValues(await valuesOf(url, asked, await tokenOf(asked, {})), theirs);
  const document = await readApiDocument(url);
  let next = 0;
  const nextOperation = () => {
    const operation = document.operations[next++ % document.operations.length];
    if (!operation) throw new Error("The API document has no operations");
    return operation;
  };
  return { url, token, copilotToken, managerToken, document, known, knownToAsked, findings, random, nextOperation };
}

async function newScope(name: string): Promise<TenantScope> {
  return tenantScope((await createCompany(CLI_ACTOR, { name })).id);
}

async function tokenOf(scope: TenantScope, limits: Partial<Parameters<typeof createKey>[2]>): Promise<string> {
  const input = { name: "fuzz", rateLimitPerMinute: 0, scopes: [...KEY_SCOPES], ...limits };
  return (await createKey(scope, CLI_ACTOR, input)).token;
}

function changingSources(): object[] {
  return [
    ...Array.from({ length: 6 }, (_, index) => text(`note-${index}`, `Note ${index}: the museum opens at ${index}.`)),
    ...Array.from({ length: 4 }, (_, index) => ({
      sourceType: "qa",
      sourceId: `faq-${index}`,
      question: `When does room ${index} open?`,
      answer: `Room ${index} opens at ${index}.`,
    })),
  ];
}

function text(sourceId: string, content: string): object {
  return { sourceType: "document", sourceId, title: sourceId, content };
}

/** @returns the ids of the other company's chunks */
async function requireAnswers(url: string, token: string, foreignToken: string): Promise<string[]> {
  const question = { queryText: FOREIGN_WORD };
  if ((await asker(url, token)(question)).total === 0) throw new Error("The company knows nothing to ask about");
  const { results } = await asker(url, foreignToken)(question);
  if (!JSON.stringify(results).includes(CANARY)) throw new Error("The other company does not find its own text");
  return results.map(({ id }) => id);
}

/** The values of the company after it got files and uploads, and some of its sources were deleted. */
async function changingValues(url: string, scope: TenantScope, token: string): Promise<CompanyValues> {
  const headers = { Authorization: `Bearer ${token}` };
  const file = await fetch(`${url}/v1/api/sources/file?sourceId=file-0`, {
    method: "PUT",
    headers,
    body: "The museum has ten rooms.",
  });
  if (!file.ok) throw new Error(`The file was refused: ${await file.text()}`);
  const values = await valuesOf(url, scope, token);
  for (const id of values.id.slice(0, DELETED))
    await fetch(`${url}/v1/api/sources/${id}`, { method: "DELETE", headers });
  for (let upload = 0; upload < UPLOADS; upload++) {
    const body = new FormData();
    body.append("purpose", "assistants");
    body.append("file", new Blob([`Upload ${upload}`]), `upload-${upload}.txt`);
    const answer = await fetch(`${url}/v1/api/openai/files`, { method: "POST", headers, body });
    values.file.push(uploaded.parse(await answer.json()).id);
  }
  return values;
}

async function valuesOf(url: string, { companyId }: TenantScope, token: string): Promise<CompanyValues> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/v1/api/sources?limit=200`, { headers });
  const { sources } = listed.parse(await answer.json());
  return {
    id: sources.map(({ id }) => id),
    sourceId: sources.map(({ sourceId }) => sourceId),
    file: sources.map(({ id }) => fileId(id)),
    store: [vectorStoreId(companyId)],
    version: ["*", ...sources.map(({ versionId }) => `"${versionId}"`)],
  };
}
