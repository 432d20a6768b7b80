import { z } from "zod";
import { REQUEST_DEFAULTS } from "./company-settings.ts";
import { toMetadataFilter } from "./metadata-filter.ts";
import { retrieveFilters, retrieveRequest } from "./schema.ts";

const { limit, scoreThreshold, useRerank, returnMode } = retrieveRequest.shape;
const loggedSettings = z.object({
  filters: retrieveFilters,
  limit,
  scoreThreshold: scoreThreshold.transform((given) => given ?? REQUEST_DEFAULTS.scoreThreshold),
  useRerank: useRerank.transform((given) => given ?? REQUEST_DEFAULTS.useRerank),
  returnMode,
  /** The key whose policy applied to a playground run. */
  asKeyId: z.uuid().optional(),
  /** Whether the question was completed from the chat before it was searched. */
  completed: z.boolean().optional(),
});

export type LoggedSettings = z.output<typeof loggedSettings>;

/**
 * The settings of a logged request, without the question; null when the request was refused before its body was read.
 */
export function readSettings(logged: object): LoggedSettings | null {
  return loggedSettings.safeParse(logged).data ?? null;
}

/** The filters of a request as a caller writes them, which is how they are stored. */
export function writtenFilters(filters: LoggedSettings["filters"]) {
  return { ...filters, ...(filters.metadata && { metadata: toMetadataFilter(filters.metadata) }) };
}
