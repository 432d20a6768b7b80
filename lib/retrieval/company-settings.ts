import type { RetrievalSettings } from "../db/stored-json.ts";
import type { RetrieveRequest } from "./schema.ts";

/** Ragstone's defaults for what a request may set. */
export const REQUEST_DEFAULTS = { useRerank: false, scoreThreshold: 0 };

/** A request with everything that decides its results. */
export type CompleteRequest = RetrieveRequest & typeof REQUEST_DEFAULTS;

/** Fills in what the request leaves out from the company's settings, or else from Ragstone's defaults. */
export function withSettings(request: RetrieveRequest, settings: RetrievalSettings): CompleteRequest {
  return {
    ...request,
    useRerank: request.useRerank ?? settings.useRerank ?? REQUEST_DEFAULTS.useRerank,
    scoreThreshold: request.scoreThreshold ?? settings.scoreThreshold ?? REQUEST_DEFAULTS.scoreThreshold,
  };
}
