import type { Actor } from "@/lib/audit/record.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { AppError } from "@/lib/errors.ts";
import { pathText } from "@/lib/label-text.ts";
import { listRuns } from "@/lib/playground/history.ts";
import { type LoggedSettings, readSettings } from "@/lib/retrieval/logged-settings.ts";
import { toMetadataFilter } from "@/lib/retrieval/metadata-filter.ts";
import { getRequest } from "@/lib/usage/log.ts";
import { EMPTY_FORM, type RequestForm } from "./form.ts";

/** A run that can be repeated, without the context fields, which are not stored. */
export interface PastRun {
  /** The request's id. */
  id: string;
  at: Date;
  form: Omit<RequestForm, "context">;
  keyId: string | null;
  total: number;
}

/** Lists the member's own last runs, newest first. */
export async function pastRuns(scope: TenantScope, actor: Actor): Promise<PastRun[]> {
  return (await listRuns(scope, actor)).flatMap((row) => toPastRun(row) ?? []);
}

/** Reads a logged request, whoever sent it, to repeat it; null if the log does not hold enough of it. */
export async function loggedRun(scope: TenantScope, actor: Actor, id: string): Promise<PastRun | null> {
  try {
    return toPastRun(await getRequest(scope, actor, id));
  } catch (error) {
    if (error instanceof AppError && error.error === "NotFound") return null;
    throw error;
  }
}

interface Logged {
  id: string;
  at: Date;
  queryText: string | null;
  request: Record<string, unknown>;
  /** The key whose policy applied. */
  keyId?: string | null;
  total: number;
}

/** The run of a logged request; null if the log does not hold enough of it. */
export function toPastRun({ id, at, queryText, request, keyId, total }: Logged): PastRun | null {
  const settings = readSettings(request);
  if (!settings || queryText === null) return null;
  const { filters, scoreThreshold, limit, useRerank, returnMode, asKeyId } = settings;
  const { context: _, ...empty } = EMPTY_FORM;
  const form = {
    ...empty,
    queryText,
    ...filterFields(filters),
    scoreThreshold: String(scoreThreshold),
    limit: String(limit),
    useRerank,
    answer: returnMode === "ai_generated_answer",
  };
  return { id, at, form, keyId: asKeyId ?? keyId ?? null, total };
}

/** The fields of the form for the filters of a request. */
export function filterFields({ audience, sourceTypes, contentCategory, path, metadata }: LoggedSettings["filters"]) {
  const [only, ...others] = sourceTypes ?? [];
  return {
    audience: audience ?? "",
    type: only && others.length === 0 ? only : ("all" as const),
    categories: contentCategory ?? [],
    path: pathText(path ?? []),
    metadata: metadata ? JSON.stringify(toMetadataFilter(metadata)) : "",
  };
}
