import { randomUUID } from "node:crypto";
import { access, constants, statfs } from "node:fs/promises";
import { answerModel, embedder, rerankModel } from "../../lib/ai/models.ts";
import { latestBackup } from "../../lib/backup/automatic-backups.ts";
import { missingOriginals } from "../../lib/backup/originals.ts";
import { listCompanies } from "../../lib/companies/service.ts";
import { counted } from "../../lib/counted.ts";
import { appliedMigrations } from "../../lib/db/migrate.ts";
import {
  companiesSeenWithoutScope,
  companyTables,
  databaseVersions,
  indexSizes,
  replicaLag,
} from "../../lib/db/system/database.ts";
import { tenantScope } from "../../lib/db/tenant.ts";
import { env } from "../../lib/env.ts";
import { isWorkerRunning, modelConflict } from "../../lib/jobs/presence.ts";
import { countDueJobs } from "../../lib/jobs/queue.ts";
import { logToStandardError } from "../../lib/log.ts";
import { makeFolder } from "../../lib/make-folder.ts";
import { estimateBytes } from "../../lib/retrieval/memory/company-index.ts";
import { retrieveRequest } from "../../lib/retrieval/schema.ts";
import { retrieve } from "../../lib/retrieval/service.ts";
import { objectStore } from "../../lib/storage/index.ts";
import { openDatabase, requireCurrentSchema } from "./database.ts";

const NODE_MAJOR = 24;
const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;
const DISK_NEEDED = GIGABYTE;

export interface Check {
  name: string;
  /** Checks that must pass before this one can run. */
  needs?: string[];
  /** Returns the finding in words. @throws an error that says what is wrong and what to do */
  run(): Promise<string>;
}

export const CHECKS: Check[] = [
  { name: "environment", run: checkEnvironment },
  { name: "node", run: checkNode },
  { name: "dataDir", needs: ["environment"], run: checkDataDir },
  { name: "disk", needs: ["dataDir"], run: checkDisk },
  { name: "originals", needs: ["dataDir"], run: checkOriginals },
  { name: "database", needs: ["dataDir"], run: checkDatabase },
  { name: "migrations", needs: ["database"], run: checkMigrations },
  { name: "originalsKept", needs: ["migrations", "originals"], run: checkOriginalsKept },
  { name: "rowLevelSecurity", needs: ["migrations"], run: checkRowLevelSecurity },
  { name: "embeddingModel", needs: ["environment"], run: checkEmbeddingModel },
  { name: "answerModel", needs: ["environment"], run: async () => answerModel().modelId },
  { name: "rerankModel", needs: ["environment"], run: checkRerankModel },
  { name: "indexMemory", needs: ["migrations"], run: checkIndexMemory },
  { name: "replica", needs: ["database"], run: checkReplica },
  { name: "worker", needs: ["migrations"], run: checkWorker },
  { name: "backups", needs: ["database"], run: checkBackups },
  { name: "retrieval", needs: ["migrations", "embeddingModel"], run: checkRetrieval },
];

async function checkEnvironment(): Promise<string> {
  const { databaseUrl, dataDir } = env();
  logToStandardError();
  return databaseUrl ? `PostgreSQL at ${new URL(databaseUrl).host}` : `embedded database in ${dataDir}`;
}

async function checkNode(): Promise<string> {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < NODE_MAJOR)
    throw new Error(`${process.version}; ${NODE_MAJOR} or newer is required. Run the command with npm`);
  return process.version;
}

async function checkDataDir(): Promise<string> {
  const { dataDir } = env();
  makeFolder(dataDir);
  await access(dataDir, constants.W_OK);
  return dataDir;
}

async function checkDisk(): Promise<string> {
  const { bavail, bsize } = await statfs(env().dataDir);
  const free = `${((bavail * bsize) / GIGABYTE).toFixed(1)} GB free`;
  if (bavail * bsize < DISK_NEEDED) throw new Error(`only ${free}. Free some space for the database and its backups`);
  return free;
}

async function checkOriginals(): Promise<string> {
  const { supabase } = env();
  const key = `doctor/${randomUUID()}`;
  await objectStore().put(key, Buffer.from(key));
  const found = Buffer.from(await objectStore().get(key)).toString();
  await objectStore().delete(key);
  if (found !== key) throw new Error("a test file was read back with other content. Check the storage");
  return supabase ? `bucket ${supabase.bucket} of Supabase Storage` : "a folder of DATA_DIR";
}

async function checkDatabase(): Promise<string> {
  await openDatabase();
  const { postgres, pgvector } = await databaseVersions();
  if (!pgvector) throw new Error("the pgvector extension is missing. Install version 0.8 or newer");
  const [major = 0, minor = 0] = pgvector.split(".").map(Number);
  if (major === 0 && minor < 8) {
    throw new Error(
      `pgvector ${pgvector}. Version 0.8 or newer is required. Install it, then run "alter extension vector update"`,
    );
  }
  return `PostgreSQL ${postgres}, pgvector ${pgvector}`;
}

async function checkMigrations(): Promise<string> {
  await requireCurrentSchema();
  return `${(await appliedMigrations()).length} applied, none missing`;
}

async function checkOriginalsKept(): Promise<string> {
  const { needed, missing, folder } = await missingOriginals();
  if (missing > 0) {
    throw new Error(`${missing} of ${needed} missing in ${folder}. Copy them back, or ingest those files again`);
  }
  return env().supabase ? "the bucket was not checked" : `none of ${needed} missing`;
}

/** Checks row-level security: it is enabled on every table with a company, and applies to the application's role. */
async function checkRowLevelSecurity(): Promise<string> {
  const tables = await companyTables();
  const open = tables.filter(({ guarded }) => !guarded).map(({ name }) => name);
  if (open.length > 0) {
    const names = open.join(", ");
    throw new Error(
      `row-level security is off on ${names}. Stop the server and run "alter table … enable row level security", or restore a backup`,
    );
  }
  if ((await companiesSeenWithoutScope()) > 0) {
    throw new Error(
      "the role ragstone_app can read companies without a company being set. Stop the server and check the policies of the table companies",
    );
  }
  return `on ${tables.length} tables`;
}

async function checkEmbeddingModel(): Promise<string> {
  const model = await embedder();
  const { length } = await model.embedQuery("Is everything in order?");
  return `${model.modelId}, ${length} dimensions`;
}

/** Runs a local cross-encoder; a remote reranker is only named, because a call may cost money. */
async function checkRerankModel(): Promise<string> {
  const model = rerankModel();
  if (!model) return "none; useRerank uses the built-in reranker";
  if (env().rerank) return model.modelId;
  await model.score("Is everything in order?", ["Everything is in order."]);
  return model.modelId;
}

async function checkWorker(): Promise<string> {
  const conflict = await modelConflict();
  if (conflict) throw new Error(conflict);
  const due = await countDueJobs();
  if (await isWorkerRunning()) return `running; ${counted(due, "job")} waiting`;
  if (due > 0) throw new Error(`not running, and ${counted(due, "job")} waiting. Start the server: npm start`);
  return "not running, and no jobs waiting";
}

/** Compares the memory for indexes with what the indexes of all companies would take. */
async function checkIndexMemory(): Promise<string> {
  const { indexMemoryMb } = env();
  if (indexMemoryMb === 0) return "off: every search uses the database";
  const sizes = await indexSizes();
  const megabytes = Math.ceil(sizes.reduce((sum, size) => sum + estimateBytes(size), 0) / MEGABYTE);
  return `${indexMemoryMb} MB in each web process; the indexes of all companies take ${megabytes} MB`;
}

async function checkReplica(): Promise<string> {
  const lag = await replicaLag();
  if (!lag) return "none; the database answers everything";
  if (!lag.isStandby) {
    throw new Error("it accepts writes, so it is not a replica. Correct DATABASE_REPLICA_URL, or leave it unset");
  }
  return `${lag.bytes} bytes behind`;
}

async function checkBackups(): Promise<string> {
  return (await latestBackup()) ?? "none yet";
}

/** Runs a query for the oldest company. */
async function checkRetrieval(): Promise<string> {
  const [company] = await listCompanies();
  if (!company) return "no company yet";
  const request = retrieveRequest.parse({ queryText: "What can you help me with?", limit: 3 });
  const { response, degraded } = await retrieve(tenantScope(company.id), request, {
    requestId: randomUUID(),
    origin: "cli",
  });
  if (degraded.length > 0) throw new Error(`unavailable: ${degraded.join(", ")}`);
  return `${counted(response.total, "result")} of ${company.name} in ${response.retrievalTimeMs} ms`;
}
