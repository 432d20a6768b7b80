import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany, deleteCompany, listCompanies } from "../companies/service.ts";
import { getMeta, setMeta } from "../db/system/meta.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { AppError } from "../errors.ts";
import { createMember, resetPassword } from "../members/service.ts";
import { projectRoot } from "../project-root.ts";

const FOLDER = join(projectRoot(), "sample");
const SAMPLE_EMAIL = "admin@sample.example";
const META_KEY = "sample";

const companyFile = z.object({ name: z.string(), questions: z.array(z.object({ question: z.string() })) });
const manifestFile = z.array(
  z.object({
    file: z.string(),
    audience: z.array(z.string()),
    contentCategory: z.string(),
    path: z.array(z.string()),
  }),
);
/** `prepared`: the company has its knowledge. `complete`: access to it was printed, or a backup was restored. */
const sampleState = z.discriminatedUnion("complete", [
  z.object({ complete: z.literal(true) }),
  z.object({ complete: z.literal(false), companyId: z.uuid(), prepared: z.boolean().default(false) }),
]);

/** Access to the sample company. Password and token are stored as hashes and cannot be shown again. */
export interface SampleAccess {
  email: string;
  password: string;
  token: string;
  question: string;
}

/**
 * Creates the sample company on the first start only, without access to it. When that start was interrupted, continues.
 * @returns the company that has to be presented, or null
 */
export async function seedSample(): Promise<string | null> {
  if (!env().sample) return null;
  const before = await readState();
  if (before?.complete) return null;
  if (before?.prepared) return before.companyId;
  if (before && (await companyExists(before.companyId)))
    await deleteCompany(tenantScope(before.companyId), SYSTEM_ACTOR);

  const { name } = await readCompany();
  const { id: companyId } = await createCompany(SYSTEM_ACTOR, { name, isSample: true });
  await setMeta(META_KEY, { companyId, prepared: false, complete: false });
  await addSampleKnowledge(companyId);
  await setMeta(META_KEY, { companyId, prepared: true, complete: false });
  return companyId;
}

/**
 * Creates an admin and a key of the sample company, just before they are printed: later they cannot be shown.
 * @returns null when another server has printed them, or the company was deleted in the meantime
 */
export async function createSampleAccess(companyId: string): Promise<SampleAccess | null> {
  if ((await readState())?.complete || !(await companyExists(companyId))) return null;
  const scope = tenantScope(companyId);
  const { name, questions } = await readCompany();
  const password = await giveAdminPassword(scope);
  const { token } = await createKey(scope, SYSTEM_ACTOR, { name: "Sample key" });
  return { email: SAMPLE_EMAIL, password, token, question: questions[0]?.question ?? name };
}

/** Records that access to the sample company was printed, so that later starts leave the company alone. */
export async function completeSample(): Promise<void> {
  await setMeta(META_KEY, { complete: true });
}

/** The account, or the member, may be left from a start that was interrupted. */
async function giveAdminPassword(scope: TenantScope): Promise<string> {
  const admin = { email: SAMPLE_EMAIL, name: "Sample admin", role: "admin" as const };
  const created = await createMember(scope, SYSTEM_ACTOR, admin).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "Conflict") return null;
    throw error;
  });
  return created?.password ?? (await resetPassword(SAMPLE_EMAIL)).password;
}

async function readState() {
  return sampleState.nullable().parse(await getMeta(META_KEY));
}

async function companyExists(companyId: string): Promise<boolean> {
  return (await listCompanies()).some(({ id }) => id === companyId);
}

async function readCompany() {
  return companyFile.parse(await readJson("company.json"));
}

async function addSampleKnowledge(companyId: string): Promise<void> {
  // the parsers take half a second to load, and only the first start needs them
  const { addFiles, addSources } = await import("../knowledge/intake/add.ts");
  const { readQuestions, readSources } = await import("../knowledge/intake/read-bulk.ts");
  const scope = tenantScope(companyId);
  const manifest = manifestFile.parse(await readJson("manifest.json"));
  const files = await Promise.all(
    manifest.map(async ({ file, ...labels }) => ({
      ...labels,
      sourceId: file,
      bytes: await readFile(join(FOLDER, "documents", file)),
    })),
  );
  await addFiles(scope, SYSTEM_ACTOR, files);
  for (const rows of [readSources(join(FOLDER, "questions.jsonl")), readQuestions(join(FOLDER, "domande.csv"))]) {
    const sources = [];
    for await (const row of rows) if ("source" in row) sources.push(row.source);
    await addSources(scope, SYSTEM_ACTOR, sources);
  }
}

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(FOLDER, name), "utf8"));
}
