import type { Ragstone } from "../client.ts";
import type { RetrieveRequest, RetrieveResponse } from "../types.ts";
import { counted } from "./counted.ts";
import { type Outcome, say } from "./terminal.ts";

const PREVIEW_CHARACTERS = 160;

export async function searchRemotely(
  client: Ragstone,
  request: RetrieveRequest,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Outcome> {
  const { data, response } = await client.retrieve(request, options).withResponse();
  const degraded = response.headers.get("x-ragstone-degraded");
  if (degraded) say(`Unavailable: ${degraded}`);
  return searchOutcome(data);
}

/** What `search` prints. */
export function searchOutcome(response: RetrieveResponse): Outcome {
  const lines = response.results.map(
    ({ score, payload }) =>
      `${score.toFixed(3)}  ${payload.title}  (${payload.sourceId})\n       ${preview(payload.content)}`,
  );
  return {
    value: response,
    lines: [...lines, `${counted(response.total, "result")} in ${response.retrievalTimeMs} ms`],
  };
}

function preview(content: string): string {
  const line = content.replace(/\s+/g, " ");
  return line.length <= PREVIEW_CHARACTERS ? line : `${line.slice(0, PREVIEW_CHARACTERS)}…`;
}
