import type { z } from "zod";
import type { KnowledgeSummary } from "../../knowledge/browse/page-sources.ts";
import type { ListedSource } from "../../knowledge/browse/read-listed.ts";
import type { HeldUpload } from "../../knowledge/uploads/hold.ts";
import { permalinkOf } from "../../retrieval/permalink.ts";
import { type RetrieveRequest, type RetrieveResult, retrieveRequest } from "../../retrieval/schema.ts";
import { attributesOf } from "./attributes.ts";
import { fileId, vectorStoreId } from "./ids.ts";
import type { FilesQuery, uploadedFile, VectorSearch, vectorStore, vectorStoreFile } from "./schema.ts";

const RERANKER = "default-2024-11-15";
const FILE_STATUS = { processing: "in_progress", ready: "completed", failed: "failed", deleted: "cancelled" } as const;

/** One retrieval request per query. */
export function toRetrieveRequests(given: VectorSearch): RetrieveRequest[] {
  const { query, max_num_results: limit, ranking_options, filters: metadata } = given;
  const { ranker, score_threshold: scoreThreshold } = ranking_options ?? {};
  // "auto" leaves the choice to the company
  const useRerank = ranker === "none" ? false : ranker === RERANKER || undefined;
  return query.map((queryText) => {
    const request = retrieveRequest.parse({ queryText, limit, scoreThreshold, useRerank });
    return { ...request, filters: metadata ? { metadata } : {} };
  });
}

/** The best score of each chunk, best first. */
export function mergeResults(lists: RetrieveResult[][], limit: number): RetrieveResult[] {
  const best = new Map<string, RetrieveResult>();
  for (const result of lists.flat()) {
    const known = best.get(result.id);
    if (!known || known.score < result.score) best.set(result.id, result);
  }
  // sorting is stable, so equal scores stay in the order of the search
  return [...best.values()].toSorted((a, b) => b.score - a.score).slice(0, limit);
}

/** @param rowIds the ids of the sources' rows, by the caller's own ids */
export function toSearchEntries(results: RetrieveResult[], rowIds: Map<string, string>, publicUrl: string) {
  return results.flatMap((result) => {
    const { payload } = result;
    const rowId = rowIds.get(payload.sourceId);
    // deleted since the search
    if (rowId === undefined) return [];
    const { page, fileName } = payload.metadata;
    const attributes = attributesOf(payload, {
      ...(typeof page === "number" && { page }),
      url: permalinkOf(result, publicUrl),
      chunk_id: result.id,
    });
    return {
      file_id: fileId(rowId),
      filename: typeof fileName === "string" ? fileName : payload.title,
      score: result.score,
      attributes,
      content: [{ type: "text" as const, text: payload.content }],
    };
  });
}

export function toVectorStore(companyId: string, summary: KnowledgeSummary): z.input<typeof vectorStore> {
  const { name, createdAt, changedAt, bytes, counts } = summary;
  const { ready, processing, failed } = counts;
  return {
    id: vectorStoreId(companyId),
    object: "vector_store",
    created_at: secondsOf(createdAt),
    name,
    status: processing > 0 ? "in_progress" : "completed",
    usage_bytes: bytes,
    file_counts: {
      in_progress: processing,
      completed: ready,
      failed,
      cancelled: 0,
      total: ready + processing + failed,
    },
    last_active_at: changedAt && secondsOf(changedAt),
    metadata: {},
  };
}

export function toFile(companyId: string, source: ListedSource): z.input<typeof vectorStoreFile> {
  return {
    id: fileId(source.id),
    object: "vector_store.file",
    created_at: secondsOf(source.createdAt),
    vector_store_id: vectorStoreId(companyId),
    status: FILE_STATUS[source.status],
    last_error: source.status === "failed" ? { code: "invalid_file", message: source.error ?? "Failed" } : null,
    usage_bytes: source.bytes,
    attributes: attributesOf(source),
  };
}

export function toHeldFile(upload: HeldUpload): z.input<typeof uploadedFile> {
  return {
    id: fileId(upload.id),
    object: "file",
    bytes: upload.bytes,
    created_at: secondsOf(upload.createdAt),
    expires_at: secondsOf(upload.expiresAt),
    filename: upload.fileName,
    purpose: upload.purpose,
    status: "uploaded",
    status_details: null,
  };
}

/** A source as the file that was uploaded for it. */
export function toAttachedFile(source: ListedSource): z.input<typeof uploadedFile> {
  return {
    id: fileId(source.id),
    object: "file",
    bytes: source.bytes,
    created_at: secondsOf(source.createdAt),
    expires_at: null,
    filename: source.file?.fileName ?? source.title,
    purpose: "assistants",
    status: source.status === "failed" ? "error" : "processed",
    status_details: source.error,
  };
}

/** A page of files. */
export function toFileList<File extends { id: string }>(data: File[], hasMore: boolean) {
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: "list" as const, data, first_id, last_id, has_more: hasMore };
}

/** Null when no file can have the requested status. */
export function toPageQuery({ filter, ...given }: FilesQuery) {
  if (filter === "cancelled") return null;
  const status = ({ in_progress: "processing", completed: "ready", failed: "failed" } as const)[filter ?? "completed"];
  return { ...given, ...(filter && { status }) };
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1_000);
}
