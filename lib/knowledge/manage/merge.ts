import { and, eq, inArray, isNull } from "drizzle-orm";
import type { z } from "zod";
import { type Actor, policyOf, requireAdmin } from "../../audit/record.ts";
import { sources, sourceVersions } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { asMerged } from "../intake/add-question.ts";
import { findRepeated } from "../intake/same-question.ts";
import type { identifiedSource } from "../intake/source-input.ts";
import { companySettings } from "../queries.ts";

type Source = z.output<typeof identifiedSource>;

/**
 * Finds for each new question the source that has it already, and turns the question into a new answer of that source.
 * A question is left as it is where the other source has an audience that the question does not have.
 * @returns by the place in `given`; without an entry for a source that stays as it is
 */
export async function mergeRepeated(scope: TenantScope, actor: Actor, given: Source[]): Promise<Map<number, Source>> {
  requireAdmin(scope, actor, "ingest");
  const known = await readAudiences(
    scope,
    given.map(({ sourceId }) => sourceId),
  );
  const fresh = given.flatMap((source, place) =>
    source.sourceType === "qa" && !known.has(source.sourceId) ? [{ source, place }] : [],
  );
  const repeated = await findRepeated(
    scope,
    actor,
    fresh.map(({ source }) => source),
  );
  const audiences = await readAudiences(
    scope,
    [...repeated.values()].map(({ sourceId }) => sourceId),
  );
  const { defaultAudience } = await scope.transaction((tx) => companySettings(tx, scope.companyId));
  return new Map(
    fresh.flatMap(({ source, place }, index) => {
      const existing = repeated.get(index);
      if (!existing) return [];
      const audience = source.audience ?? policyOf(actor).audience ?? defaultAudience;
      const isNarrower = audiences.get(existing.sourceId)?.some((each) => !audience.includes(each)) ?? true;
      return isNarrower ? [] : [[place, asMerged(source, existing)] as const];
    }),
  );
}

/** The audiences of the newest versions of these sources, by the callers' identifier. */
async function readAudiences(scope: TenantScope, sourceIds: string[]): Promise<Map<string, string[]>> {
  if (sourceIds.length === 0) return new Map();
  const { companyId } = scope;
  const rows = await scope.transaction((tx) =>
    tx
      .select({ sourceId: sources.sourceId, audience: sourceVersions.audience })
      .from(sources)
      .innerJoin(
        sourceVersions,
        and(eq(sourceVersions.companyId, companyId), eq(sourceVersions.id, sources.latestVersionId)),
      )
      .where(and(eq(sources.companyId, companyId), inArray(sources.sourceId, sourceIds), isNull(sources.deletedAt))),
  );
  return new Map(rows.map(({ sourceId, audience }) => [sourceId, audience]));
}
