import { citedNumbers } from "@/lib/ai/find-citations.ts";
import { readSettings } from "@/lib/retrieval/logged-settings.ts";
import type { SaveTestQuestionInput } from "@/lib/test-questions/schema.ts";
import type { Receipt } from "@/lib/usage/receipt.ts";

/** A test question that expects what the request got: the first source that was cited, or a refusal. */
export function toTestQuestion(receipt: Receipt): Partial<SaveTestQuestionInput> {
  const { id, queryText, keyId, answer, answered, results } = receipt;
  const settings = readSettings(receipt.request);
  const [cited = 1] = citedNumbers(answer ?? "");
  return {
    question: queryText ?? "",
    requestId: id,
    apiKeyId: keyId ?? settings?.asKeyId ?? null,
    expectedSource: answered === false ? "" : (results[cited - 1]?.sourceId ?? ""),
    mustRefuse: answered === false,
  };
}
