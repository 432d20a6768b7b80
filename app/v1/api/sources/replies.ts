import type { z } from "zod";
import type { BatchOutcome } from "@/lib/knowledge/manage/put.ts";
import type { acceptedSource } from "@/lib/knowledge/manage/responses.ts";

type Put = z.input<typeof acceptedSource>;

export function acceptedReply(put: Put) {
  const { id, sourceId, versionId, unchanged, status, changedLabels, alreadyAnsweredIn, mergedFrom } = put;
  return {
    status: statusOf([put]),
    body: {
      ...{ id, sourceId, versionId, unchanged, status },
      ...(changedLabels && { changedLabels }),
      ...(alreadyAnsweredIn && { alreadyAnsweredIn }),
      ...(mergedFrom !== undefined && { mergedFrom }),
    },
    headers: etagOf(put),
  };
}

/** `ETag` of the newest version. */
export function etagOf({ versionId }: { versionId: string }): Record<string, string> {
  return { ETag: `"${versionId}"` };
}

export function batchReply({ accepted, failed }: BatchOutcome) {
  return { status: statusOf(accepted), body: { accepted: accepted.map(byIndex), failed: failed.map(byIndex) } };
}

export function questionsReply({ accepted, failed }: BatchOutcome) {
  return { status: statusOf(accepted), body: { accepted: accepted.map(byRow), failed: failed.map(byRow) } };
}

type Position = Pick<BatchOutcome["accepted"][number], "position" | "sheet">;

function byIndex<One extends Position>({ position, sheet: _, ...one }: One) {
  return { index: position, ...one };
}

function byRow<One extends Position>({ position, sheet, ...one }: One) {
  return { row: position, ...(sheet !== undefined && { sheet }), ...one };
}

/** 202 while a worker still has to process one of the sources. */
function statusOf(accepted: Pick<Put, "unchanged" | "status">[]): 200 | 202 {
  return accepted.some(({ unchanged, status }) => !unchanged && status === "processing") ? 202 : 200;
}

/**
 * The versions that `If-Match` names, in lower case and separated by commas, or `*`; undefined without the header. Proxies
 * that compress a response make its `ETag` weak, so a weak one counts too.
 */
export function ifMatchOf({ headers }: Pick<Request, "headers">): string | undefined {
  return headers
    .get("if-match")
    ?.split(",")
    .map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, "$1"))
    .join(",")
    .toLowerCase();
}
