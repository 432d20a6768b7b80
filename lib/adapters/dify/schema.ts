import { z } from "zod";
import { splitPath } from "../../label-text.ts";
import { DEFAULT_LIMIT, MAX_LIMIT, MAX_QUERY_LENGTH } from "../../retrieval/schema.ts";
import { textInput } from "../../text-input.ts";
import { metadataCondition } from "./metadata-condition.ts";

const MAX_KNOWLEDGE_ID_LENGTH = 2_000;

const knowledgeId = textInput("must be a string")
  .trim()
  .max(MAX_KNOWLEDGE_ID_LENGTH, `must have at most ${MAX_KNOWLEDGE_ID_LENGTH} characters`)
  .refine((id) => splitPath(id).length > 0, 'must be "all", the ID of the company, or a path such as Support/Billing');

const retrievalSetting = z
  .object(
    {
      top_k: z
        .number("must be a number")
        .nullish()
        .transform((given) => Math.min(MAX_LIMIT, Math.max(1, Math.trunc(given ?? DEFAULT_LIMIT)))),
      score_threshold: z
        .number("must be a number from 0 to 1")
        .min(0, "must be at least 0")
        .max(1, "must be at most 1")
        .nullish(),
    },
    "must be an object",
  )
  .nullish()
  .transform((given) => given ?? { top_k: DEFAULT_LIMIT, score_threshold: null });

/** What Dify sends to an external knowledge API. Fields may be null, depending on its version. */
export const difyRequest = z.object({
  knowledge_id: knowledgeId,
  query: textInput("must be a string")
    .transform((query) => query.trim().slice(0, MAX_QUERY_LENGTH).toWellFormed())
    .refine((query) => query !== "", "must not be empty"),
  retrieval_setting: retrievalSetting,
  metadata_condition: metadataCondition.nullish(),
});

export type DifyRequest = z.output<typeof difyRequest>;

/** The 200 body. Metadata is never null: Dify drops such records. */
export const difyResponse = z.strictObject({
  records: z.array(
    z.strictObject({
      content: z.string(),
      score: z.number(),
      title: z.string(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});
