import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createKey } from "../api-keys/service.ts";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { createCompany, deleteCompany } from "../companies/service.ts";
import { getMeta, setMeta } from "../db/system/meta.ts";
import { tenantScope } from "../db/tenant.ts";
import { env, projectRoot } from "../env.ts";
import { createMember } from "../members/service.ts";

const FOLDER = join(projectRoot(), "sample");
const SAMPLE_EMAIL = "admin@sample.example";

const companyFile = z.object({ name: z.string(), questions: z.array(z.object({ question: z.string() })) });
const manifestFile = z.array(
  z.object({
    file: z.string(),
    audience: z.array(z.string()),
    contentCategory: z.string(),
    path: z.array(z.string()),
  }),
);
const sampleState = z.object({ companyId: z.uuid(), complete: z.boolean() });

/** Access to the sample company. Password and token are stored as hashes and cannot be shown again. */
export interface SampleAccess {
  companyId: string;
  email: string;
  password: string;
  token: string;
  question: string;
}

/** Creates the sample company on the first start only; when that start was interrupted, starts over. */
export async function seedSample(): Promise<SampleAccess | null> {
  if (!env().sample) return null;
  const before = sampleState.nullable().parse(await getMeta("sample"));
  if (before?.complete) return null;
  if (before) await deleteCompany(tenantScope(before.companyId), SYSTEM_ACTOR);

  const { name, questions } = companyFile.parse(await readJson("company.json"));
  const company = await createCompany(SYSTEM_ACTOR, { name, isSample: true });
  await setMeta("sample", { companyId: company.id, complete: false });
  const scope = tenantScope(company.id);
  await addSampleKnowledge(company.id);
  const member = await createMember(scope, SYSTEM_ACTOR, { email: SAMPLE_EMAIL, name: "Sample admin", role: "admin" });
  const key = await createKey(scope, SYSTEM_ACTOR, { name: "Sample key" });
  await setMeta("sample", { companyId: company.id, complete: true });
  return {
    companyId: company.id,
    email: member.email,
    password: member.password ?? "",
    token: key.token,
    question: questions[0]?.question ?? name,
  };
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
