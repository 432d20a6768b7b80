import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import { batches } from "../../db/batches.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { latestVersions } from "../queries.ts";
import type { SubmittedSource } from "./plan-acceptance.ts";
import { gainedAudiences, type WidenTo, wideningOf, wideningRefused } from "./widening.ts";

type GivenAudience = Pick<SubmittedSource, "sourceId" | "audience">;

/** The audiences that sources would gain beyond `widenTo`, by identifier. Sources that gain none are left out. */
export async function findGained(
  scope: TenantScope,
  actor: Actor,
  given: GivenAudience[],
  widenTo: WidenTo = [],
): Promise<Map<string, string[]>> {
  requireAdmin(scope, actor, "ingest");
  const { companyId } = scope;
  const found = new Map<string, string[]>();
  const said = widenTo === "any" ? [] : given.filter(({ audience }) => audience !== null);
  for (const batch of batches(said)) {
    const sourceIds = batch.map(({ sourceId }) => sourceId);
    const known = await scope.transaction((tx) => latestVersions(tx, { companyId, actor, sourceIds }));
    for (const { sourceId, audience } of batch) {
      const before = known.get(sourceId)?.audience;
      const gained = before && audience ? gainedAudiences(before, audience, widenTo) : [];
      if (gained.length > 0) found.set(sourceId, gained);
    }
  }
  return found;
}

/** @throws {AppError} Conflict when a source would gain audiences that `widenTo` does not include */
export async function refuseWidening(
  scope: TenantScope,
  actor: Actor,
  given: GivenAudience[],
  widenTo?: WidenTo,
): Promise<void> {
  const widening = wideningOf((await findGained(scope, actor, given, widenTo)).values());
  if (widening) throw wideningRefused(widening);
}
