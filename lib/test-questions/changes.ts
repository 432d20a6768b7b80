import { and, desc, eq, gt, inArray, lte, or, sql } from "drizzle-orm";
import { requireMembership } from "../audit/permissions.ts";
import type { Actor } from "../audit/record.ts";
import { auditLog, sources, sourceVersions } from "../db/schema/index.ts";
import { textArray } from "../db/sql.ts";
import type { TenantScope } from "../db/tenant.ts";
import type { TestQuestion } from "./service.ts";

/** A change that may have made a question fail. */
export interface Change {
  at: Date;
  /** Who made the change; null when that is unknown. */
  by: string | null;
  what:
    | { kind: "version"; id: string; sourceId: string; title: string; number: number }
    | { kind: "deleted" | "restored"; id: string; sourceId: string; title: string }
    | { kind: "settings" | "retrieval" }
    | { kind: "key" };
}

/** Far more than a page shows. */
const CHANGES_READ = 500;
const CHANGES_SHOWN = 5;
const SOURCE_EVENTS = ["source.deleted", "source.restored"];
const SETTING_EVENTS = ["company.retrieval_changed", "company.settings_changed", "api_key.restricted"];

export interface ChangesOfQuestion {
  /** The most likely first: changes of the sources that the question is about, then the newest. */
  changes: Change[];
  /** Number of other changes at that time. */
  more: number;
}

type FailingQuestion = Pick<
  TestQuestion,
  "id" | "passedAt" | "failedAt" | "expectedSource" | "excludedSource" | "outcome" | "apiKeyId"
>;

/**
 * Finds what changed between the last run that each question passed and the first one that it failed.
 * @returns by question; without an entry for a question that never passed
 */
export async function changesBeforeFailures(
  scope: TenantScope,
  actor: Actor,
  questions: FailingQuestion[],
): Promise<Map<string, ChangesOfQuestion>> {
  requireMembership(scope, actor);
  const spans = questions.flatMap(({ passedAt, failedAt, ...question }) =>
    passedAt && failedAt ? [{ ...question, from: passedAt, to: failedAt }] : [],
  );
  if (spans.length === 0) return new Map();
  const all = await changesWithin(scope, {
    from: new Date(Math.min(...spans.map(({ from }) => from.getTime()))),
    to: new Date(Math.max(...spans.map(({ to }) => to.getTime()))),
  });
  return new Map(
    spans.map(({ id, from, to, expectedSource, excludedSource, outcome, apiKeyId }) => {
      const about = new Set([expectedSource, excludedSource, ...(outcome?.found ?? [])]);
      const rankOf = ({ what }: Change) => ("sourceId" in what && about.has(what.sourceId) ? 0 : 1);
      const changes = all
        .filter(({ at, keyId }) => at > from && at <= to && (keyId === undefined || keyId === apiKeyId))
        .map(({ keyId: _, ...change }): Change => change)
        .sort((a, b) => rankOf(a) - rankOf(b) || b.at.getTime() - a.at.getTime());
      return [id, { changes: changes.slice(0, CHANGES_SHOWN), more: Math.max(0, changes.length - CHANGES_SHOWN) }];
    }),
  );
}

interface Span {
  from: Date;
  to: Date;
}

/** `keyId`: affects only questions asked as this key. */
type DatedChange = Change & { keyId?: string };

async function changesWithin(scope: TenantScope, span: Span): Promise<DatedChange[]> {
  const versions = await readyVersions(scope, span);
  return [...versions, ...(await loggedChanges(scope, span))];
}

/** A version is live from the moment when it is ready. */
async function readyVersions(scope: TenantScope, { from, to }: Span): Promise<DatedChange[]> {
  const { number, title, readyAt, authorName } = sourceVersions;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ id: sources.id, sourceId: sources.sourceId, number, title, readyAt, authorName })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, sources.companyId), eq(sourceVersions.sourceId, sources.id)),
      )
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          // `updated_at` is never earlier than the newest version, and an index is sorted by it
          gt(sources.updatedAt, from),
          gt(readyAt, from),
          lte(readyAt, to),
        ),
      )
      .orderBy(desc(readyAt))
      .limit(CHANGES_READ),
  );
  return rows.map(({ readyAt: at, authorName: by, ...version }) => ({
    at: at ?? from,
    by,
    what: { kind: "version", ...version },
  }));
}

async function loggedChanges(scope: TenantScope, { from, to }: Span): Promise<DatedChange[]> {
  const { createdAt, actorName, action, targetId, detail } = auditLog;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ at: createdAt, by: actorName, action, targetId, detail })
      .from(auditLog)
      .where(
        and(
          eq(auditLog.companyId, scope.companyId),
          gt(createdAt, from),
          lte(createdAt, to),
          or(inArray(action, SOURCE_EVENTS), inArray(action, SETTING_EVENTS)),
        ),
      )
      .orderBy(desc(createdAt))
      .limit(CHANGES_READ),
  );
  const changed = rows.map((row) => ({ ...row, names: namesIn(row) }));
  const known = await readSources(
    scope,
    changed.flatMap(({ names }) => names),
  );
  const byName = new Map(
    known.flatMap((source) => [source.id, source.sourceId].map((name) => [name, source] as const)),
  );
  return changed.flatMap(({ at, by, action: name, targetId, names }): DatedChange[] => {
    if (name === "api_key.restricted") return [{ at, by, what: { kind: "key" }, keyId: targetId }];
    if (name === "company.retrieval_changed") return [{ at, by, what: { kind: "retrieval" } }];
    if (!SOURCE_EVENTS.includes(name)) return [{ at, by, what: { kind: "settings" } }];
    const kind = name === "source.deleted" ? "deleted" : "restored";
    const affected = new Set(names.flatMap((each) => byName.get(each) ?? []));
    return [...affected].map((source) => ({ at, by, what: { kind, ...source } }));
  });
}

/** The ids, or the callers' identifiers, of the sources of an event. */
function namesIn({ action, targetId, detail }: { action: string; targetId: string; detail: Record<string, unknown> }) {
  if (!SOURCE_EVENTS.includes(action)) return [];
  return Array.isArray(detail.sources) ? detail.sources.map(String) : [targetId];
}

async function readSources(scope: TenantScope, names: string[]) {
  if (names.length === 0) return [];
  const named = textArray(new Set(names));
  return scope.transaction((tx) =>
    tx
      .select({
        id: sources.id,
        sourceId: sources.sourceId,
        title: sql<string>`coalesce((select nullif(v.title, '') from ragstone.source_versions v
          where v.company_id = ${scope.companyId} and v.id = ${sources.latestVersionId}), ${sources.sourceId})`,
      })
      .from(sources)
      .where(
        and(
          eq(sources.companyId, scope.companyId),
          or(sql`${sources.id}::text = any(${named})`, sql`${sources.sourceId} = any(${named})`),
        ),
      ),
  );
}
