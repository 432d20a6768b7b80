import { z } from "zod";
import { retrieveFilters, retrieveRequest } from "../retrieval/schema.ts";

const { limit, scoreThreshold, useRerank, returnMode } = retrieveRequest.shape;
const loggedSettings = z.object({
  filters: retrieveFilters,
  limit,
  scoreThreshold,
  useRerank,
  returnMode,
  /** The key whose policy a run in the playground was held to. */
  asKeyId: z.uuid().optional(),
});

export type LoggedSettings = z.output<typeof loggedSettings>;

/** What a logged request asked for besides its question; null of one that was refused before it was read. */
export function readSettings(logged: object): LoggedSettings | null {
  return loggedSettings.safeParse(logged).data ?? null;
}
