import type { z } from "zod";
import type { AppError } from "../../errors.ts";
import { splitPath } from "../../label-text.ts";
import { permalinkOf } from "../../retrieval/permalink.ts";
import { type RetrieveRequest, type RetrieveResult, retrieveRequest } from "../../retrieval/schema.ts";
import type { DifyRequest, difyResponse } from "./schema.ts";

/** Errors without a code of Dify's use their HTTP status. */
const NO_KEY = 1001;
const KEY_REFUSED = 1002;
const UNKNOWN_KNOWLEDGE = 2001;

/** Dify writes these names into the metadata of a record. */
const NAMES_OF_DIFY = ["score", "title", "dataset_id", "dataset_name"];

/** An error as Dify expects it: Dify reports only the statuses 403, 404 and 502 when an API is added. */
export function difyError({ error, statusCode, message, headers: given }: AppError) {
  const { "WWW-Authenticate": challenge, ...headers } = given;
  const reply = (status: number, code = status) => ({
    status,
    body: { error_code: code, error_msg: message },
    headers,
  });
  switch (error) {
    case "Unauthorized":
      return reply(403, challenge === "Bearer" ? NO_KEY : KEY_REFUSED);
    case "SubscriptionInactive":
    case "Forbidden":
      return reply(403, KEY_REFUSED);
    case "NotFound":
      return reply(404, UNKNOWN_KNOWLEDGE);
    case "BadRequest":
    case "ValidationError":
      return reply(400);
    default:
      return reply(statusCode);
  }
}

/** The path prefix that a knowledge ID names; undefined for all of the company's knowledge. */
export function pathOf({ knowledge_id }: DifyRequest, companyId: string): string[] | undefined {
  const isAll = knowledge_id === "all" || knowledge_id.toLowerCase() === companyId;
  return isAll ? undefined : splitPath(knowledge_id);
}

/** @param path as from `pathOf` */
export function toRetrieveRequest(given: DifyRequest, path: string[] | undefined): RetrieveRequest {
  const { query, retrieval_setting, metadata_condition: metadata } = given;
  const { top_k: limit, score_threshold: scoreThreshold } = retrieval_setting;
  const request = retrieveRequest.parse({ queryText: query, limit, scoreThreshold });
  return { ...request, filters: { ...(path && { path }), ...(metadata && { metadata }) } };
}

/** @param publicUrl without a trailing slash */
export function toRecords(results: RetrieveResult[], publicUrl: string): z.input<typeof difyResponse> {
  return { records: results.map((result) => toRecord(result, publicUrl)) };
}

function toRecord(result: RetrieveResult, publicUrl: string) {
  const { sourceId, sourceType, contentCategory, path, audience, metadata, content, title } = result.payload;
  const own = Object.entries(metadata).filter(([name]) => !NAMES_OF_DIFY.includes(name));
  return {
    content,
    score: result.score,
    title,
    metadata: {
      ...Object.fromEntries(own),
      source_id: sourceId,
      chunk_id: result.id,
      source_type: sourceType,
      content_category: contentCategory,
      path,
      audience,
      url: permalinkOf(result, publicUrl),
    },
  };
}
