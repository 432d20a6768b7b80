import { randomUUID } from "node:crypto";
import { type Actor, recordAudit, requireAdmin } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import type { VERSION_STATES } from "../db/schema/index.ts";
import type { SourceBody } from "../db/stored.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import type { SourceType } from "../db/values.ts";
import { enqueue, hasten } from "../jobs/enqueue.ts";
import { contentHash } from "./content-hash.ts";
import { lockOriginals } from "./original-lock.ts";
import * as queries from "./queries.ts";

/** Few enough that the embedded database answers others in between. */
const OFFERS_PER_TRANSACTION = 200;

/** A version that serves or will: of one that failed or was put aside, the same content again is work. */
export const STANDS: readonly (typeof VERSION_STATES)[number][] = ["building", "current"];

/** A source as given, before anything was read or embedded. */
export interface Offer {
  /** The caller's own identifier. */
  sourceId: string;
  sourceType: SourceType;
  /** Null: the file says it itself. */
  title: string | null;
  /** Null: the company's default. */
  audience: string[] | null;
  contentCategory: string | null;
  path: string[];
  metadata: Record<string, unknown>;
  body: SourceBody;
}

export interface Accepted {
  sourceId: string;
  /** The source's row. */
  id: string;
  versionId: string;
  /** The same was there already, or is being built: no work. */
  unchanged: boolean;
}

/**
 * Takes sources in: each gets a new version and a job in one transaction, so that what was accepted is never lost.
 * The same content again is a no-op; of two offers for one identifier the later one counts.
 * @returns one entry an identifier
 */
export async function acceptSources(
  scope: TenantScope,
  actor: Actor,
  offers: Offer[],
  { evenIfUnchanged = false } = {},
): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const distinct = [...new Map(offers.map((offer) => [offer.sourceId, offer])).values()];
  const accepted: Accepted[] = [];
  for (let start = 0; start < distinct.length; start += OFFERS_PER_TRANSACTION) {
    const batch = distinct.slice(start, start + OFFERS_PER_TRANSACTION);
    accepted.push(
      ...(await scope.transaction((tx) => acceptBatch(tx, scope.companyId, actor, batch, evenIfUnchanged))),
    );
  }
  return accepted;
}

async function acceptBatch(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  offers: Offer[],
  evenIfUnchanged: boolean,
): Promise<Accepted[]> {
  const { defaultAudience } = await queries.companySettings(tx, companyId);
  const sourceIds = offers.map(({ sourceId }) => sourceId);
  const rows = await queries.upsertSources(tx, { companyId, sourceIds });
  const latest = await queries.latestVersions(tx, { companyId, ids: [...rows.values()].map(({ id }) => id) });

  const versions: Parameters<typeof queries.insertVersions>[1] = [];
  const accepted = offers.map((offer): Accepted => {
    const row = rows.get(offer.sourceId);
    if (!row) throw new Error("upsert returned no row");
    const source = withDefaults(offer, defaultAudience);
    const hash = contentHash(source);
    const before = latest.get(row.id);
    const same = before && !row.deletedAt && before.contentHash === hash && STANDS.includes(before.state);
    if (same && !evenIfUnchanged)
      return { sourceId: offer.sourceId, id: row.id, versionId: before.id, unchanged: true };

    const versionId = randomUUID();
    versions.push({
      ...source,
      companyId,
      id: versionId,
      sourceId: row.id,
      number: (before?.number ?? 0) + 1,
      title: source.title ?? titleBeforeReading(source.body),
      storageKey: source.body.kind === "file" ? source.body.storageKey : null,
      contentHash: hash,
    });
    return { sourceId: offer.sourceId, id: row.id, versionId, unchanged: false };
  });

  const unchanged = accepted.flatMap((each) => (each.unchanged ? each.versionId : []));
  await hasten(tx, companyId, unchanged);
  if (versions.length === 0) return accepted;
  const deleted = [...rows.values()].flatMap(({ id, deletedAt }) => (deletedAt ? id : []));
  await queries.forgetDeleted(tx, { companyId, ids: deleted });
  await lockOriginals(
    tx,
    versions.flatMap(({ storageKey }) => storageKey ?? []),
  );
  await queries.insertVersions(tx, versions);
  await queries.pointToLatest(tx, { companyId, versionIds: versions.map(({ id }) => id) });
  await enqueue(
    tx,
    versions.map(({ id }) => ({ companyId, kind: "ingest", subjectId: id })),
  );
  const [only] = versions;
  await recordAudit(tx, companyId, actor, {
    action: "knowledge.added",
    target:
      versions.length === 1 && only
        ? { type: "source", id: only.sourceId, name: only.title }
        : { type: "sources", id: companyId, name: `${versions.length} sources` },
  });
  return accepted;
}

/** What an offer leaves open is said by the company. */
export function withDefaults(offer: Offer, defaultAudience: string[]) {
  return {
    ...offer,
    audience: offer.audience ?? defaultAudience,
    contentCategory: offer.contentCategory ?? "general",
  };
}

function titleBeforeReading(body: SourceBody): string {
  if (body.kind === "qa") return body.question;
  return body.kind === "file" ? body.fileName : "Untitled";
}
