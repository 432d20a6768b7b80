import { and, eq, inArray, isNull } from "drizzle-orm";
import type { z } from "zod";
import { policyOf, requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { batches } from "../../db/batches.ts";
import { sources } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { toSubmittedSource } from "../intake/add.ts";
import { asMerged, hasRoomFor } from "../intake/add-question.ts";
import { policyIssue } from "../intake/bind-labels.ts";
import { differingLabels } from "../intake/differing-labels.ts";
import { findRepeated } from "../intake/find-answered.ts";
import type { identifiedSource } from "../intake/source-input.ts";
import { companyDefaults } from "../queries.ts";

type Source = z.output<typeof identifiedSource>;

/** A source of a batch, with its position in the batch. */
export interface Placed {
  /** From 0; the number of the row if the batch is a file. */
  position: number;
  /** The name of the row's sheet, in a workbook of several sheets. */
  sheet?: string | undefined;
  source: Source;
  /** The identifier under which a merged question was sent. */
  mergedFrom?: string;
  /** The version that the source must still have. */
  ifMatch?: string | undefined;
}

/**
 * Turns each new question into a new answer of the source that has it already. A question stays as it is where the other
 * source has another path or category than was sent, or an audience that the question does not have; where the policy of
 * the key refuses the question; where `given` has the other source too; and where that has no room for its phrasings.
 */
export async function mergeRepeated(scope: TenantScope, actor: Actor, given: Placed[]): Promise<Placed[]> {
  requireAdmin(scope, actor, "ingest");
  const named = new Set(given.map(({ source }) => source.sourceId));
  const known = await knownOf(scope, [...named]);
  const policy = policyOf(actor);
  const isRefused = (source: Source) => policyIssue(policy, toSubmittedSource(source), undefined) !== null;
  const fresh = given.flatMap(({ source }) =>
    source.sourceType === "qa" && !known.has(source.sourceId) && !isRefused(source) ? source : [],
  );
  const repeated = await findRepeated(scope, actor, fresh);
  const { defaultAudience } = await scope.transaction((tx) => companyDefaults(tx, scope.companyId));
  const merged = new Map(
    fresh.flatMap((source, index) => {
      const existing = repeated.get(index);
      if (!existing || named.has(existing.sourceId) || !hasRoomFor(source, existing)) return [];
      const audience = source.audience ?? policy.audience ?? defaultAudience;
      if (differingLabels({ ...source, audience }, existing).length > 0) return [];
      const into = { source: asMerged(source, existing), mergedFrom: source.sourceId, ifMatch: existing.versionId };
      return [[source.sourceId, into] as const];
    }),
  );
  // rows of two sheets may have the same position
  return given.map((placed) => ({ ...placed, ...merged.get(placed.source.sourceId) }));
}

/** The identifiers among these that sources have. */
async function knownOf(scope: TenantScope, sourceIds: string[]): Promise<Set<string>> {
  const known = new Set<string>();
  // one statement takes at most 65,535 values
  for (const batch of batches(sourceIds)) {
    const rows = await scope.transaction((tx) =>
      tx
        .select({ sourceId: sources.sourceId })
        .from(sources)
        .where(
          and(eq(sources.companyId, scope.companyId), inArray(sources.sourceId, batch), isNull(sources.deletedAt)),
        ),
    );
    for (const { sourceId } of rows) known.add(sourceId);
  }
  return known;
}
