import { randomUUID } from "node:crypto";
import type { SourceType } from "../../db/column-values.ts";
import type { VERSION_STATES } from "../../db/schema/index.ts";
import type { SourceBody } from "../../db/stored-json.ts";
import type { CompanyId } from "../../db/tenant.ts";
import { completeLabels, type GivenLabels, type LabelChange, labelChanges } from "../../label-changes.ts";
import { contentHash } from "../content-hash.ts";
import type { LatestVersion, NewVersion, SourceRow } from "../queries.ts";
import { readMetadata } from "../read-metadata.ts";

/** States in which the same content needs no work. After a failure, it is processed again. */
const LIVE_STATES: readonly (typeof VERSION_STATES)[number][] = ["building", "current"];
/** A source with more chunks is processed again when its labels change, because copying its positions takes too long. */
const COPIED_CHUNKS_MAX = 2_000;

/** A source to accept, before it is read and embedded. A label that is null keeps its value. */
export interface SubmittedSource extends GivenLabels {
  /** The caller's identifier. */
  sourceId: string;
  /** The id of the row of a new source; random if it is missing. */
  rowId?: string;
  /** The row of the email that the source is an attachment of. */
  attachedTo?: string;
  sourceType: SourceType;
  /** Null: the title is read from the file. */
  title: string | null;
  body: SourceBody;
}

/** What accepting a source will do. */
export interface Plan {
  sourceId: string;
  /** The id of the source's row. */
  id: string;
  kind: "unchanged" | "relabelled" | "reindexed" | "changed" | "added";
  /** The existing version if nothing changed, otherwise the new one. */
  versionId: string;
  /** Label changes of an existing source. */
  changes: LabelChange[];
  version: NewVersion;
  /** The served version when the new one reuses its chunks, so that nothing has to be read. */
  copied: LatestVersion | null;
}

interface PlanOptions {
  companyId: CompanyId;
  defaultAudience: string[];
  /** Processes unchanged sources again. */
  evenIfUnchanged: boolean;
}

export function planAcceptance(
  submitted: SubmittedSource,
  row: SourceRow,
  latest: LatestVersion | undefined,
  { companyId, defaultAudience, evenIfUnchanged }: PlanOptions,
): Plan {
  const before = latest && withGivenMetadata(latest);
  const { rowId: _, attachedTo: __, ...content } = submitted;
  const source = { ...content, ...completeLabels(submitted, before, defaultAudience) };
  const changes = before ? labelChanges(before, source) : [];
  const kind = kindOf(source, row, before, { changes, evenIfUnchanged });
  const versionId = kind === "unchanged" && before ? before.id : randomUUID();
  const canCopy = before?.state === "current" && before.chunkCount <= COPIED_CHUNKS_MAX;
  const copied = (kind === "relabelled" && canCopy && latest) || null;
  return {
    sourceId: submitted.sourceId,
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
      ...(copied && {
        ...withReadMetadata(source.metadata, copied),
        state: "current",
        chunkCount: copied.chunkCount,
        notice: copied.notice,
        readyAt: new Date(),
      }),
    },
  };
}

/** A version with the metadata that the caller gave alone. */
function withGivenMetadata(version: LatestVersion): LatestVersion {
  return { ...version, metadata: version.givenMetadata ?? version.metadata };
}

/** New metadata from the caller, completed by what was read from the content of a version. */
function withReadMetadata(given: Record<string, unknown>, version: LatestVersion) {
  return version.givenMetadata ? { metadata: { ...readMetadata(version), ...given }, givenMetadata: given } : {};
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
  if (asBefore !== before.contentHash) return "changed";
  if (changes.length > 0) return "relabelled";
  return LIVE_STATES.includes(before.state) && !evenIfUnchanged ? "unchanged" : "reindexed";
}

function titleBeforeReading(body: SourceBody): string {
  if (body.kind === "qa") return body.question;
  return body.kind === "file" ? body.fileName : "Untitled";
}
