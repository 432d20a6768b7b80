import { randomUUID } from "node:crypto";
import type { SourceType } from "../../db/column-values.ts";
import type { VERSION_STATES } from "../../db/schema/index.ts";
import type { SourceBody } from "../../db/stored-json.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { completeLabels, type GivenLabels, type LabelChange, labelChanges } from "../../label-changes.ts";
import { contentHash } from "../content-hash.ts";
import type { LatestVersion, NewVersion, SourceRow } from "../queries.ts";

/** A version that serves or will: of one that failed or was put aside, the same content again is work. */
const STANDS: readonly (typeof VERSION_STATES)[number][] = ["building", "current"];
/** The places of more chunks are not copied at once: such a source is read again when its labels change. */
const COPIED_CHUNKS_MAX = 2_000;

/** A source as given, before anything was read or embedded. A label that is null stays as it is. */
export interface Offer extends GivenLabels {
  /** The caller's own identifier. */
  sourceId: string;
  sourceType: SourceType;
  /** Null: the file says it itself. */
  title: string | null;
  body: SourceBody;
}

/** What an offer comes to. */
export interface Plan {
  sourceId: string;
  /** The source's row. */
  id: string;
  kind: "unchanged" | "relabelled" | "reindexed" | "added";
  /** The version that stands already, or the new one. */
  versionId: string;
  /** Of a source that was there before. */
  changes: LabelChange[];
  version: NewVersion;
  /** The version that serves now, where the new one has the same chunks: nothing has to be read. */
  copied: LatestVersion | null;
}

interface PlanOptions {
  companyId: CompanyId;
  defaultAudience: string[];
  /** Reads again what is there already. */
  evenIfUnchanged: boolean;
}

export function planAcceptance(
  offer: Offer,
  row: SourceRow,
  before: LatestVersion | undefined,
  { companyId, defaultAudience, evenIfUnchanged }: PlanOptions,
): Plan {
  const source = { ...offer, ...completeLabels(offer, before, defaultAudience) };
  const changes = before ? labelChanges(before, source) : [];
  const kind = kindOf(source, row, before, { changes, evenIfUnchanged });
  const versionId = kind === "unchanged" && before ? before.id : randomUUID();
  const canCopy = before?.state === "current" && before.chunkCount <= COPIED_CHUNKS_MAX;
  const copied = kind === "relabelled" && canCopy ? before : null;
  return {
    sourceId: offer.sourceId,
    id: row.id,
    kind,
    versionId,
    changes,
    copied,
    version: {
      ...source,
      companyId,
      id: versionId,
      sourceId: row.id,
      number: (before?.number ?? 0) + 1,
      title: copied?.title ?? source.title ?? titleBeforeReading(source.body),
      storageKey: source.body.kind === "file" ? source.body.storageKey : null,
      contentHash: contentHash(source),
      ...(copied && { state: "current", chunkCount: copied.chunkCount, readyAt: new Date() }),
    },
  };
}

function kindOf(
  source: Parameters<typeof contentHash>[0],
  row: SourceRow,
  before: LatestVersion | undefined,
  { changes, evenIfUnchanged }: Pick<Plan, "changes"> & Pick<PlanOptions, "evenIfUnchanged">,
): Plan["kind"] {
  if (!before || row.deletedAt) return "added";
  const { audience, contentCategory, path, metadata } = before;
  const asBefore = contentHash({ ...source, audience, contentCategory, path, metadata });
  if (asBefore !== before.contentHash) return "added";
  if (changes.length > 0) return "relabelled";
  return STANDS.includes(before.state) && !evenIfUnchanged ? "unchanged" : "reindexed";
}

function titleBeforeReading(body: SourceBody): string {
  if (body.kind === "qa") return body.question;
  return body.kind === "file" ? body.fileName : "Untitled";
}
