import { policyOf, requireAdmin } from "../../audit/permissions.ts";
import { type Actor, SYSTEM_ACTOR } from "../../audit/record.ts";
import { batches } from "../../db/batches.ts";
import type { Transaction } from "../../db/client.ts";
import { sendAll, sendBoth } from "../../db/send.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import { enqueue, retryNow } from "../../jobs/enqueue.ts";
import { matchesVersion } from "../matches-version.ts";
import { lockOriginals } from "../original-lock.ts";
import * as queries from "../queries.ts";
import { removeEditedVerifications } from "../verify/verify.ts";
import { bindLabels } from "./bind-labels.ts";
import { type Plan, planAcceptance, type SubmittedSource } from "./plan-acceptance.ts";
import { type BulkChange, recordAccepted } from "./record-accepted.ts";
import { refuseWidening } from "./refuse-widening.ts";
import { type AttachmentLabels, attachmentsToRelabel, followEmail } from "./relabel-attachments.ts";
import { gainedAudiences, type WidenTo, wideningOf, wideningRefused } from "./widening.ts";

/** Small batches, so that the embedded database can run other statements in between. */
const SOURCES_PER_TRANSACTION = 200;

export interface AcceptOptions {
  /** Processes unchanged sources again. */
  evenIfUnchanged?: boolean;
  /** Audiences that existing sources may gain; none by default. */
  widenTo?: WidenTo;
  /**
   * The version that a changed source must have, as in `matchesVersion`; a map has it by the caller's identifier.
   */
  ifMatch?: string | ReadonlyMap<string, string> | undefined;
  /** The change that these sources are a part of. */
  bulk?: BulkChange;
  /** The id of this change of labels. `undoRelabel` finds the relabelled sources and their attachments by it. */
  relabelId?: string | undefined;
  /** The labels of an attachment after those of its email have changed. By default, it follows the email. */
  attachmentLabels?: AttachmentLabels;
  /** The email whose attachments these sources are. They are accepted only while this is its newest version. */
  email?: { id: string; versionId: string };
  /** Runs for each source in the transaction that accepts it. */
  also?: ((tx: Transaction, accepted: Accepted) => Promise<void>) | undefined;
}

export interface Accepted extends Pick<Plan, "sourceId" | "id" | "versionId" | "changes"> {
  /** The same content is already served or processing, so there is nothing to do. */
  unchanged: boolean;
  /** Whether a worker still has to process the version. */
  status: "ready" | "processing";
}

/**
 * Accepts sources: each gets a new version and a job in one transaction, so that no accepted source is ever lost.
 * Unchanged sources are skipped. When two sources have the same identifier, the later one is used. A missing label keeps
 * its value.
 * @returns one entry per identifier
 * @throws {AppError} Conflict when a source would gain audiences that `widenTo` does not include; Forbidden when a key's
 * policy does not allow a label; PreconditionFailed. The failing transaction accepts nothing; of more than 200 sources,
 * the sources of earlier transactions stay accepted
 */
export async function acceptSources(
  scope: TenantScope,
  actor: Actor,
  submitted: SubmittedSource[],
  options: AcceptOptions = {},
): Promise<Accepted[]> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const distinct = [...new Map(submitted.map((source) => [source.sourceId, source])).values()];
  if (distinct.length > SOURCES_PER_TRANSACTION) await refuseWidening(scope, actor, distinct, options.widenTo);
  const accepted: Accepted[] = [];
  for (const batch of batches(distinct, SOURCES_PER_TRANSACTION)) {
    const taken = await scope.changeContent(async (tx) => {
      if (options.email && !(await queries.lockEmail(tx, { companyId, ...options.email }))) return [];
      const lock = () => queries.upsertSources(tx, { companyId, named: batch });
      return lockAndAccept(tx, { companyId, actor, lock, submitted: batch }, options);
    });
    accepted.push(...taken);
  }
  return accepted;
}

interface Given {
  companyId: CompanyId;
  actor: Actor;
  /**
   * Locks the rows of the sources for this transaction, and returns them by caller identifier. Unless the rows are locked
   * already, it must send the lock immediately, because the newest versions are read right after it.
   */
  lock: () => Promise<Map<string, queries.SourceRow>>;
  submitted: SubmittedSource[];
}

/** Accepts sources in a transaction of the caller. Otherwise like `acceptSources`. */
export async function lockAndAccept(tx: Transaction, given: Given, options: AcceptOptions): Promise<Accepted[]> {
  const { companyId, actor, lock, submitted } = given;
  const sourceIds = submitted.map(({ sourceId }) => sourceId);
  const [rows, [{ defaultAudience }, latest]] = await sendBoth(lock, () =>
    sendBoth(
      () => queries.companyDefaults(tx, companyId),
      () => queries.latestVersions(tx, { companyId, actor, sourceIds }),
    ),
  );
  const known = { rows, latest };
  const plans = planSources({ ...given, defaultAudience }, known, options);
  requireNoWidening(plans, latest, options.widenTo);
  await relabelAttachments(tx, given, plans, latest, options);
  await writePlans(tx, { companyId, actor, plans }, known, options);
  const accepted = plans.map((plan) => toAccepted(plan, latest));
  for (const source of accepted) await options.also?.(tx, source);
  return accepted;
}

/** The rows and the newest versions of the sources, by caller identifier. */
interface Known {
  rows: Map<string, queries.SourceRow>;
  latest: Map<string, queries.LatestVersion>;
}

function planSources(
  { companyId, actor, submitted, defaultAudience }: Omit<Given, "lock"> & { defaultAudience: string[] },
  { rows, latest }: Known,
  { evenIfUnchanged = false, ifMatch }: AcceptOptions,
): Plan[] {
  return submitted.flatMap((source) => {
    const row = rows.get(source.sourceId);
    // another source has taken the identifier of the attachment in the meantime
    if (!row && source.attachedTo !== undefined) return [];
    if (!row) throw new Error("a source has no row");
    const before = latest.get(source.sourceId);
    const bound = bindLabels(policyOf(actor), source, before);
    const plan = planAcceptance(bound, row, before, { companyId, defaultAudience, evenIfUnchanged });
    const expected = typeof ifMatch === "object" ? ifMatch.get(source.sourceId) : ifMatch;
    // a client whose response was lost sends the change again
    if (plan.kind !== "unchanged") requireMatch(expected, row.deletedAt ? undefined : before);
    return plan;
  });
}

function requireNoWidening(plans: Plan[], latest: Known["latest"], widenTo: WidenTo = []): void {
  const gained = plans.map(({ sourceId, version }) => {
    const before = latest.get(sourceId);
    return before ? gainedAudiences(before.audience, version.audience, widenTo) : [];
  });
  const widening = wideningOf(gained);
  if (widening) throw wideningRefused(widening);
}

/** Gives the attachments of relabelled emails their new labels. */
async function relabelAttachments(
  tx: Transaction,
  { companyId, submitted }: Given,
  plans: Plan[],
  latest: Known["latest"],
  { attachmentLabels = followEmail, relabelId }: AcceptOptions,
): Promise<void> {
  const emails = plans.filter(({ sourceId, changes }) => changes.length > 0 && latest.get(sourceId)?.hasAttachments);
  const except = submitted.map(({ sourceId }) => sourceId);
  const found = await attachmentsToRelabel(tx, companyId, { emails, except, attachmentLabels });
  if (!found) return;
  const given = { companyId, actor: SYSTEM_ACTOR, lock: async () => found.rows, submitted: found.submitted };
  await lockAndAccept(tx, given, { widenTo: "any", relabelId });
}

async function writePlans(
  tx: Transaction,
  { companyId, actor, plans }: { companyId: CompanyId; actor: Actor; plans: Plan[] },
  { rows, latest }: Known,
  { bulk, relabelId }: AcceptOptions,
): Promise<void> {
  const unchanged = plans.filter(isUnchanged).map(({ versionId }) => versionId);
  await retryNow(tx, companyId, { kind: "ingest", subjectIds: unchanged });
  const work = plans.filter((plan) => !isUnchanged(plan));
  if (work.length === 0) return;
  const deleted = [...rows.values()].flatMap(({ id, deletedAt }) => (deletedAt ? id : []));
  await queries.forgetDeleted(tx, { companyId, ids: deleted });
  const edited = work
    .filter(({ kind, sourceId }) => kind === "changed" || (kind === "added" && latest.has(sourceId)))
    .map(({ id }) => id);
  await sendAll([
    ...versionWrites(tx, companyId, { work, actor, relabelId }),
    () => recordAccepted(tx, companyId, actor, work, bulk),
    () => removeEditedVerifications(tx, companyId, actor, edited),
  ]);
}

function isUnchanged({ kind }: Plan): boolean {
  return kind === "unchanged";
}

function toAccepted(plan: Plan, latest: Known["latest"]): Accepted {
  const { sourceId, id, versionId, changes } = plan;
  const unchanged = isUnchanged(plan);
  const isReady = plan.copied || (unchanged && latest.get(sourceId)?.state === "current");
  return { sourceId, id, versionId, changes, unchanged, status: isReady ? "ready" : "processing" };
}

function requireMatch(ifMatch: string | undefined, before: queries.LatestVersion | undefined): void {
  if (ifMatch === undefined || matchesVersion(ifMatch, before?.id)) return;
  throw new AppError("PreconditionFailed", "The source has changed. Read it, then send the change again.");
}

/** New labels alone apply immediately, with the existing chunks. A worker builds everything else. */
function versionWrites(
  tx: Transaction,
  companyId: CompanyId,
  { work, actor, relabelId }: { work: Plan[]; actor: Actor; relabelId: string | undefined },
): (() => Promise<void>)[] {
  const originals = work.flatMap(({ version }) => version.storageKey ?? []);
  const versions = work.map(({ version, kind }) => ({
    ...version,
    authorType: actor.type,
    authorName: actor.name,
    ...(kind === "relabelled" && { relabelId }),
  }));
  const copies = work.flatMap(({ copied, versionId }) => (copied ? { from: copied.id, to: versionId } : []));
  const jobs = work.map(({ id, versionId, copied }) =>
    copied
      ? ({ companyId, kind: "purge", subjectId: id } as const)
      : ({ companyId, kind: "ingest", subjectId: versionId } as const),
  );
  return [
    () => lockOriginals(tx, originals),
    () => queries.insertVersions(tx, versions),
    () => queries.pointToLatest(tx, { companyId, pairs: work }),
    () => queries.copyCurrent(tx, { companyId, copies }),
    () => enqueue(tx, jobs),
  ];
}
