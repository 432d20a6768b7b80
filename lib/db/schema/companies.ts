import { boolean, doublePrecision, integer, jsonb, text, uuid } from "drizzle-orm/pg-core";
import type { RetrievalSettings, ScoreCalibration } from "../stored-json.ts";
import { createdAt, instant, ragstone } from "./columns.ts";
import { embeddingModels } from "./embeddings.ts";

export const companies = ragstone.table("companies", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  isSample: boolean("is_sample").notNull().default(false),
  defaultAudience: text("default_audience").array().notNull().default(["ai_agent", "copilot"]),
  /** The model whose vectors retrieval uses; null until the first chunk is embedded. */
  embeddingModelId: integer("embedding_model_id").references(() => embeddingModels.id),
  queryRetentionDays: integer("query_retention_days").notNull().default(30),
  hashQueries: boolean("hash_queries").notNull().default(false),
  /** Whether requests are logged with their answer and the text of their results; never where queries are hashed. */
  keepAnswers: boolean("keep_answers").notNull().default(true),
  /**
   * Closeness from which a verified answer is returned, chosen on the company's test questions; null for the default.
   */
  verifiedCloseness: doublePrecision("verified_closeness"),
  /** New with every change of what retrieval returns. Indexes in memory compare it. */
  contentStamp: uuid("content_stamp").notNull().defaultRandom(),
  /**
   * New with every restored backup, after which an ordinal may belong to another chunk, and once the vectors of a model are
   * complete.
   */
  indexGeneration: uuid("index_generation").notNull().defaultRandom(),
  retrievalSettings: jsonb("retrieval_settings").$type<RetrievalSettings>().notNull().default({}),
  /** When these settings, or the switch of calibration, last changed; null when they never did. */
  retrievalChangedAt: instant("retrieval_changed_at"),
  /** Whether scores are calibrated, once there is a calibration. */
  calibratesScores: boolean("calibrates_scores").notNull().default(false),
  /** Null while there are too few judged questions. */
  scoreCalibration: jsonb("score_calibration").$type<ScoreCalibration>(),
  createdAt: createdAt(),
});
