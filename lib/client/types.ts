/** Where a chunk comes from: a document, or a question with its answer. */
export type SourceType = "document" | "qa";

type Scalar = string | number | boolean;

/** Conditions on one metadata field, by operator. */
export interface MetadataOperators {
  eq?: Scalar | Scalar[] | null;
  ne?: Scalar | Scalar[] | null;
  gt?: Scalar | Scalar[] | null;
  gte?: Scalar | Scalar[] | null;
  lt?: Scalar | Scalar[] | null;
  lte?: Scalar | Scalar[] | null;
  in?: Scalar | Scalar[] | null;
  nin?: Scalar | Scalar[] | null;
  contains?: Scalar | Scalar[] | null;
  notContains?: Scalar | Scalar[] | null;
  startsWith?: Scalar | Scalar[] | null;
  endsWith?: Scalar | Scalar[] | null;
  exists?: Scalar | Scalar[] | null;
  notExists?: Scalar | Scalar[] | null;
  before?: Scalar | Scalar[] | null;
  after?: Scalar | Scalar[] | null;
}

/**
 * Conditions by metadata field, which all must hold, for example `{ region: "EU", year: { gte: 2024 } }`. The names `and`
 * and `or` take a list of such objects, `not` takes one.
 */
export interface MetadataFilter {
  [field: string]: Scalar | Scalar[] | MetadataOperators | MetadataFilter | MetadataFilter[] | null | undefined;
}

/** Narrows a search. */
export interface RetrieveFilters {
  sourceTypes?: SourceType[] | null | undefined;
  /** Only chunks meant for this audience. */
  audience?: string | null | undefined;
  contentCategory?: string | string[] | null | undefined;
  /** Only sources whose hierarchical path begins with these segments. */
  path?: string[] | null | undefined;
  metadata?: MetadataFilter | null | undefined;
}

export interface RetrieveRequest {
  /** The question: 1 to 8,000 characters. */
  queryText: string;
  filters?: RetrieveFilters | null | undefined;
  /** Only results whose score is at least this, from 0 to 1. */
  scoreThreshold?: number | null | undefined;
  /** `chunks_only` by default. */
  returnMode?: "ai_generated_answer" | "chunks_only" | null | undefined;
  /** Maximum number of results: 1 to 100, 10 by default. */
  limit?: number | null | undefined;
  useRerank?: boolean | null | undefined;
  companyName?: string | null | undefined;
  companyProductsNames?: string[] | null | undefined;
  clientName?: string | null | undefined;
  clientServices?: string | null | undefined;
  clientCurrentChatHistory?: string | null | undefined;
  clientOlderChatHistory?: string | null | undefined;
  clientPaymentHistory?: string | null | undefined;
  clientLogs?: string | null | undefined;
}

/** A chunk that was found. */
export interface RetrieveResult {
  id: string;
  /** 0 to 1, higher is better. */
  score: number;
  payload: {
    companyId: string;
    audience: string[];
    contentCategory: string;
    content: string;
    sourceType: SourceType;
    sourceId: string;
    title: string;
    path: string[];
    metadata: Record<string, unknown>;
  };
}

export interface RetrieveResponse {
  /** Present exactly when `returnMode` is `ai_generated_answer`. Cites the results as `[1]`, `[2]`… */
  aiGeneratedAnswer?: string | undefined;
  /** In descending order of `score`. */
  results: RetrieveResult[];
  total: number;
  retrievalTimeMs: number;
}

/** The response with `returnMode: "ai_generated_answer"`. */
export interface AnswerResponse extends RetrieveResponse {
  aiGeneratedAnswer: string;
}

export interface StatusResponse {
  status: "ok";
  /** ISO 8601, UTC. */
  timestamp: string;
  apiKey: { id: string; name: string; companyId: string; maskedToken: string };
}
