import { z } from "zod";
import { countText } from "../counted.ts";
import { MAX_QUERY_LENGTH } from "../retrieval/schema.ts";
import { upToLength } from "../text-input.ts";

/** A question that retrieval accepts: else the evaluation would fail after the documents were ingested. */
export const questionText = upToLength(
  z.string().trim().min(1, "must not be empty"),
  MAX_QUERY_LENGTH,
  `must have at most ${countText(MAX_QUERY_LENGTH)} characters`,
);
