import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createModels, type Embedder, RUNNING_MODELS } from "../../lib/ai/models.ts";
import { createKey } from "../../lib/api-keys/service.ts";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import { restoreBackup } from "../../lib/backup/restore.ts";
import { writeBackup } from "../../lib/backup/write.ts";
import { closeConnection, connect, setConnection } from "../../lib/db/client.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { env, parseEnv } from "../../lib/env.ts";
import { dataPaths } from "../../lib/paths.ts";
import { type FreshDatabase, freshDatabase } from "../../lib/testing/fresh-database.ts";
import { hashEmbedding } from "../../lib/testing/hash-embedding.ts";
import { newCompany } from "../../lib/testing/knowledge.ts";
import { type CompanyModel, newCompanyModel } from "./store-model.ts";
import { WINDOW_TOKENS } from "./store-texts.ts";

export const MODELS = ["alpha", "beta"] as const;
const DIMENSIONS = 64;

/** The policies of the keys of each company. */
export const POLICIES: readonly KeyPolicy[] = [
  {},
  { audience: ["public"] },
  { contentCategory: ["help"], path: ["Support"] },
];

export interface RealKey {
  id: string;
  token: string;
  policy: KeyPolicy;
  /** The key before the last rotation. */
  replaced: { id: string; token: string; ends: "at once" | "in an hour" } | null;
}

export interface RealCompany {
  scope: TenantScope;
  keys: RealKey[];
  /** Row ids of the sources, by name in the model. */
  ids: Map<string, string>;
}

/** The real store with its companies. */
export interface RealWorld {
  companies: RealCompany[];
  /** Chooses the embedding model. */
  choose(model: string): void;
  /** Writes a backup and continues in an empty database restored from it. Missing for a shared database. */
  backupAndRestore?(): Promise<void>;
  /** Number of checks so far. Each asks a different question. */
  checks: number;
}

export interface ModelWorld {
  companies: CompanyModel[];
  model: string;
}

/** Shared by all worlds of one run. */
export interface Store {
  newWorld(): Promise<{ model: ModelWorld; real: RealWorld }>;
  close(): void;
}

/** @param database a separate database for restores; without it, the tests' database is used */
export function openStore(database?: OwnDatabase): Store {
  const others = createModels(parseEnv({}));
  const choose = (model: string) => {
    const embedder = embedderOf(model);
    RUNNING_MODELS.set({ ...others, embedder: async () => embedder, formerEmbedder: async () => null });
  };
  return {
    async newWorld() {
      choose(MODELS[0]);
      const companies = [await newRealCompany("One"), await newRealCompany("Two")];
      const real = { companies, choose, checks: 0, ...(database && { backupAndRestore: database.backupAndRestore }) };
      return { model: { companies: companies.map(newCompanyModel), model: MODELS[0] }, real };
    },
    close() {
      RUNNING_MODELS.set();
    },
  };
}

/** An embedding model in this process, which never times out on a busy machine. Other tests cover timeouts. */
function embedderOf(name: string): Embedder {
  const embed = (text: string) => Float32Array.from(hashEmbedding(`${name} ${text}`, DIMENSIONS));
  return {
    modelId: `${name}/${DIMENSIONS}`,
    dimensions: DIMENSIONS,
    windowTokens: WINDOW_TOKENS,
    local: true,
    embedQuery: async (text) => embed(text),
    embedChunks: async (texts) => texts.map(embed),
  };
}

async function newRealCompany(name: string): Promise<RealCompany> {
  const scope = await newCompany(name);
  const keys: RealKey[] = [];
  for (const [index, policy] of POLICIES.entries()) {
    const { id, token } = await createKey(scope, SYSTEM_ACTOR, {
      name: `Key ${index}`,
      scopes: ["retrieve", "ingest"],
      rateLimitPerMinute: 0,
      policy,
    });
    keys.push({ id, token, policy, replaced: null });
  }
  return { scope, keys, ids: new Map() };
}

interface OwnDatabase {
  backupAndRestore(): Promise<void>;
  close(): Promise<void>;
}

/** A separate database for the store. `DATA_DIR` must be separate too. */
export async function ownDatabase(migrate: () => Promise<unknown>): Promise<OwnDatabase> {
  const { dataDir } = env();
  let restores = 0;
  const folder = () => join(dataDir, `database-${restores}`);
  let database: FreshDatabase = await freshDatabase(folder());
  setConnection(connect(database.target));
  await migrate();
  const remove = async () => {
    await closeConnection();
    await database.remove();
    await rm(folder(), { recursive: true, force: true });
  };
  return {
    async backupAndRestore() {
      const file = join(dataDir, "backup.jsonl.gz");
      await writeBackup(file, { originals: true });
      await remove();
      await rm(dataPaths(dataDir).files, { recursive: true, force: true });
      restores++;
      database = await freshDatabase(folder());
      setConnection(connect(database.target));
      await restoreBackup(file);
    },
    close: remove,
  };
}
