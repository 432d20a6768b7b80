import { type Actor, requireAdmin } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { enqueue, retryNow } from "../../jobs/enqueue.ts";
import { batches } from "../../search-index/write-chunks.ts";
import { lockOriginals } from "../original-lock.ts";
import * as queries from "../queries.ts";
import { type Offer, type Plan, planAcceptance } from "./plan-acceptance.ts";
import { recordAccepted } from "./record-accepted.ts";
import { refuseWidening } from "./refuse-widening.ts";
import { gainedAudiences, type WidenTo, wideningOf, wideningRefused } from "./widening.ts";

/** Few enough that the embedded database answers others in between. */
const OFFERS_PER_TRANSACTION = 200;

export interface AcceptOptions {
  /** Reads again what is there already. */
  evenIfUnchanged?: boolean;
  /** Audiences that sources may gain which are there already; default none. */
  widenTo?: WidenTo;
}

export interface Accepted extends Pick<Plan, "sourceId" | "id" | "versionId" | "changes"> {
  /** The same was there already, or is being built: no work. */
  unchanged: boolean;
}

/**
 * Takes sources in: each gets a new version and a job in one transaction, so that what was accepted is never lost.
 * The same content again is a no-op; of two offers for one identifier the later one counts. A label that is not given
 * stays as it is.
 * @returns one entry an identifier
 * @throws {AppError} Conflict when a source would gain audiences that `widenTo` does not name: nothing is taken in then
 */
export async function acceptSources(
  scope: TenantScope,
  actor: Actor,
  offers: Offer[],
  options: AcceptOptions = {},
): Promise<Accepted[]> {
  requireAdmin(scope, actor);
  const { companyId } = scope;
  const distinct = [...new Map(offers.map((offer) => [offer.sourceId, offer])).values()];
  if (distinct.length > OFFERS_PER_TRANSACTION) await refuseWidening(scope, actor, distinct, options.widenTo);
  const accepted: Accepted[] = [];
  for (const batch of batches(distinct, OFFERS_PER_TRANSACTION)) {
    const taken = await scope.transaction(async (tx) => {
      const rows = await queries.upsertSources(tx, { companyId, sourceIds: batch.map(({ sourceId }) => sourceId) });
      return takeIn(tx, { companyId, actor, rows, offers: batch }, options);
    });
    accepted.push(...taken);
  }
  return accepted;
}

interface Given {
  companyId: CompanyId;
  actor: Actor;
  /** By the callers' identifiers, locked by the transaction. */
  rows: Map<string, queries.SourceRow>;
  offers: Offer[];
}

/** Takes in what is offered for these sources. */
export async function takeIn(
  tx: Transaction,
  { companyId, actor, rows, offers }: Given,
  { evenIfUnchanged = false, widenTo = [] }: AcceptOptions,
): Promise<Accepted[]> {
  const { defaultAudience } = await queries.companySettings(tx, companyId);
  const latest = await queries.latestVersions(tx, { companyId, ids: [...rows.values()].map(({ id }) => id) });
  const plans = offers.map((offer) => {
    const row = rows.get(offer.sourceId);
    if (!row) throw new Error("a source has no row");
    return planAcceptance(offer, row, latest.get(row.id), { companyId, defaultAudience, evenIfUnchanged });
  });
  const gained = plans.map(({ id, version }) => {
    const before = latest.get(id);
    return before ? gainedAudiences(before.audience, version.audience, widenTo) : [];
  });
  const widening = wideningOf(gained);
  if (widening) throw wideningRefused(widening);

  const isUnchanged = ({ kind }: Plan) => kind === "unchanged";
  const unchanged = plans.filter(isUnchanged).map(({ versionId }) => versionId);
  await retryNow(tx, companyId, { kind: "ingest", subjectIds: unchanged });
  const work = plans.filter((plan) => !isUnchanged(plan));
  if (work.length > 0) {
    const deleted = [...rows.values()].flatMap(({ id, deletedAt }) => (deletedAt ? id : []));
    await queries.forgetDeleted(tx, { companyId, ids: deleted });
    await write(tx, companyId, work);
    await recordAccepted(tx, companyId, actor, work);
  }
  return plans.map((plan) => ({
    sourceId: plan.sourceId,
    id: plan.id,
    versionId: plan.versionId,
    changes: plan.changes,
    unchanged: isUnchanged(plan),
  }));
}

/** New labels alone serve at once, with the chunks that are there; everything else is a worker's. */
async function write(tx: Transaction, companyId: CompanyId, work: Plan[]): Promise<void> {
  await lockOriginals(
    tx,
    work.flatMap(({ version }) => version.storageKey ?? []),
  );
  await queries.insertVersions(
    tx,
    work.map(({ version }) => version),
  );
  await queries.pointToLatest(tx, { companyId, versionIds: work.map(({ versionId }) => versionId) });
  const copies = work.flatMap(({ copied, versionId }) => (copied ? { from: copied.id, to: versionId } : []));
  await queries.copyCurrent(tx, { companyId, copies });
  await enqueue(
    tx,
    work.map(({ id, versionId, copied }) =>
      copied ? { companyId, kind: "purge", subjectId: id } : { companyId, kind: "ingest", subjectId: versionId },
    ),
  );
}
