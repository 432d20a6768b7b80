import { type SQL, sql } from "drizzle-orm";
import type { Executor } from "./client.ts";
import { companies, embeddingModels } from "./schema/index.ts";
import { companyLiteral } from "./sql.ts";
import type { RetrievalSettings, ScoreCalibration } from "./stored-json.ts";
import type { CompanyId, TenantScope } from "./tenant.ts";

/** Identifies the content that a company's searches read at one moment. */
export interface ServedState {
  /** The same as long as nothing that retrieval returns has changed. */
  stamp: string;
  /** The same as long as an ordinal means the same chunk with the same vector. */
  generation: string;
  /** The model whose vectors searches use; null while the company has no vectors. */
  model: { id: number; name: string; dimensions: number } | null;
}

/** What decides the results of a company's searches at one moment. A request reads it once, with its key. */
export interface ServedContent extends ServedState {
  /** How the company wants to be searched and answered. */
  settings: RetrievalSettings;
  /** How its scores are calibrated; null when they are not. */
  calibration: Pick<ScoreCalibration, "curves" | "reranker"> | null;
}

const CALIBRATION = sql<
  ServedContent["calibration"]
>`case when calibrates_scores then score_calibration - '{questions,results,error,at}'::text[] end`;

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

export interface ServedStateRow {
  stamp: string;
  generation: string;
  modelId: number | null;
  modelName: string | null;
  dimensions: number | null;
}

type ServedContentRow = ServedStateRow & Pick<ServedContent, "settings" | "calibration">;

export function toServedState({ stamp, generation, modelId, modelName, dimensions }: ServedStateRow): ServedState {
  const hasModel = modelId !== null && modelName !== null && dimensions !== null;
  const model = hasModel ? { id: modelId, name: modelName, dimensions } : null;
  return { stamp, generation, model };
}

export function toServedContent({ settings, calibration, ...state }: ServedContentRow): ServedContent {
  return { ...toServedState(state), settings, calibration };
}

const STATE = sql`content_stamp as stamp, index_generation as generation,
    model.id as "modelId", model.name as "modelName", model.dimensions`;

/** The row of `ServedState`, for `TenantScope.read`. */
export function servedStateQuery(companyId: CompanyId): SQL {
  return sql`select ${STATE} ${ofCompany(companyId)}`;
}

function ofCompany(companyId: CompanyId): SQL {
  return sql`from ragstone.companies left join ragstone.embedding_models model on model.id = companies.embedding_model_id
    where companies.id = ${companyLiteral(companyId)}`;
}

/** The state of the company, as a transaction of its scope sees it. */
export async function servedStateWithin(tx: Executor, companyId: CompanyId): Promise<ServedState> {
  const [row] = await tx.execute<ServedStateRow & Record<string, unknown>>(servedStateQuery(companyId));
  if (!row) throw new Error("the company does not exist");
  return toServedState(row);
}

/** The state of the company now. */
export async function servedState(scope: TenantScope): Promise<ServedState> {
  return toServedState(await onlyRow<ServedStateRow>(scope, servedStateQuery(scope.companyId)));
}

/** What the company's searches return now. */
export async function servedContent(scope: TenantScope): Promise<ServedContent> {
  const query = sql`select ${STATE}, retrieval_settings as settings, ${CALIBRATION} as calibration ${ofCompany(scope.companyId)}`;
  return toServedContent(await onlyRow<ServedContentRow>(scope, query));
}

async function onlyRow<Row extends object>(scope: TenantScope, query: SQL): Promise<Row> {
  const [[row]] = await scope.read<[Row]>([query]);
  if (!row) throw new Error("the company does not exist");
  return row;
}
