import { type SQL, sql } from "drizzle-orm";
import type { Executor } from "./client.ts";
import { companies, embeddingModels } from "./schema/index.ts";
import { companyLiteral } from "./sql.ts";
import type { RetrievalSettings, ScoreCalibration } from "./stored-json.ts";
import type { CompanyId, TenantScope } from "./tenant.ts";

/** Identifies what a company's searches return at one moment. */
export interface ServedContent {
  /** The same as long as nothing that retrieval returns has changed. */
  stamp: string;
  /** The same as long as an ordinal means the same chunk. */
  generation: string;
  /** The model whose vectors searches use; null while the company has no vectors. */
  model: { id: number; name: string; dimensions: number } | null;
  /** How the company wants to be searched and answered. */
  settings: RetrievalSettings;
  /** How its scores are calibrated; null when they are not. */
  calibration: ScoreCalibration["curves"] | null;
}

const CALIBRATION = sql<
  ServedContent["calibration"]
>`case when calibrates_scores then score_calibration -> 'curves' end`;

/** The columns of `ServedContent`, from companies and, by a left join, their models. */
export const servedContentColumns = {
  stamp: companies.contentStamp,
  generation: companies.indexGeneration,
  settings: companies.retrievalSettings,
  calibration: CALIBRATION,
  modelId: embeddingModels.id,
  modelName: embeddingModels.name,
  dimensions: embeddingModels.dimensions,
};

export interface ServedContentRow {
  stamp: string;
  generation: string;
  settings: ServedContent["settings"];
  calibration: ServedContent["calibration"];
  modelId: number | null;
  modelName: string | null;
  dimensions: number | null;
}

export function toServedContent({
  stamp,
  generation,
  settings,
  calibration,
  modelId,
  modelName,
  dimensions,
}: ServedContentRow): ServedContent {
  const hasModel = modelId !== null && modelName !== null && dimensions !== null;
  const model = hasModel ? { id: modelId, name: modelName, dimensions } : null;
  return { stamp, generation, model, settings, calibration };
}

/** The row of `ServedContent`, for `TenantScope.read`. */
export function servedContentQuery(companyId: CompanyId): SQL {
  return sql`select content_stamp as stamp, index_generation as generation,
      retrieval_settings as settings, ${CALIBRATION} as calibration,
      model.id as "modelId", model.name as "modelName", model.dimensions
    from ragstone.companies left join ragstone.embedding_models model on model.id = companies.embedding_model_id
    where companies.id = ${companyLiteral(companyId)}`;
}

/** What the company's searches return, as a transaction of its scope sees it. */
export async function servedContentWithin(tx: Executor, companyId: CompanyId): Promise<ServedContent> {
  const [row] = await tx.execute<ServedContentRow & Record<string, unknown>>(servedContentQuery(companyId));
  if (!row) throw new Error("the company does not exist");
  return toServedContent(row);
}

/** What the company's searches return now. */
export async function servedContent(scope: TenantScope): Promise<ServedContent> {
  const [rows] = await scope.read<[ServedContentRow]>([servedContentQuery(scope.companyId)]);
  const [row] = rows;
  if (!row) throw new Error("the company does not exist");
  return toServedContent(row);
}
