import { z } from "zod";
import type { Actor } from "@/lib/audit/record.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { AppError } from "@/lib/errors.ts";
import { retrieveFilters } from "@/lib/retrieval/schema.ts";
import { needsAnswer } from "@/lib/test-questions/judge.ts";
import { getTestQuestion } from "@/lib/test-questions/service.ts";
import type { RequestForm } from "./form.ts";
import { filterFields } from "./past-run.ts";

/** How a test question is asked. */
export interface AskedTest {
  form: Partial<RequestForm>;
  keyId: string | null;
}

/**
 * Reads how a test question is asked: its filters, its key, and an answer only if it expects one; null if the company
 * has no such question.
 */
export async function askedTest(scope: TenantScope, actor: Actor, id: string): Promise<AskedTest | null> {
  if (!z.uuid().safeParse(id).success) return null;
  const question = await getTestQuestion(scope, actor, id).catch((error: unknown) => {
    if (error instanceof AppError && error.error === "NotFound") return null;
    throw error;
  });
  if (!question) return null;
  const filters = filterFields(retrieveFilters.parse(question.filters));
  const form = { queryText: question.question, ...filters, answer: needsAnswer(question) };
  return { form, keyId: question.apiKeyId };
}
