import { eq, sql } from "drizzle-orm";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { changedSettings } from "../changed-settings.ts";
import { companies } from "../db/schema/index.ts";
import type { RetrievalSettings } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { notFound, parseInput } from "../errors.ts";
import {
  type ChangedSettingsInput,
  changedSettingsInput,
  type RetrievalSettingsForm,
  toForm,
  toSettings,
} from "./schema.ts";
import { changedWords } from "./setting-words.ts";

/** How the company is searched and answered, with every default written out. @throws {AppError} NotFound */
export async function getRetrievalSettings(scope: TenantScope, actor: Actor): Promise<RetrievalSettingsForm> {
  requireMembership(scope, actor);
  const rows = await scope.transaction((tx) =>
    tx.select({ settings: companies.retrievalSettings }).from(companies).where(eq(companies.id, scope.companyId)),
  );
  if (!rows[0]) throw notFound("Company");
  return toForm(rows[0].settings);
}

/**
 * Changes how the company is searched and answered, from the next request on. A missing setting keeps its value. The test
 * questions run soon after.
 * @throws {AppError} Forbidden for support staff; NotFound, ValidationError
 */
export async function saveRetrievalSettings(
  scope: TenantScope,
  actor: Actor,
  input: ChangedSettingsInput,
): Promise<void> {
  requireAdmin(scope, actor);
  const given = parseInput(changedSettingsInput, input);
  await store(scope, actor, (saved) => {
    const before = toForm(saved);
    return toSettings({ ...before, ...changedSettings<ChangedSettingsInput>(before, given) });
  });
}

/** Gives the company the settings of a new one. @throws {AppError} Forbidden for support staff; NotFound */
export async function restoreDefaultSettings(scope: TenantScope, actor: Actor): Promise<void> {
  requireAdmin(scope, actor);
  await store(scope, actor, () => ({}));
}

async function store(
  scope: TenantScope,
  actor: Actor,
  change: (saved: RetrievalSettings) => RetrievalSettings,
): Promise<void> {
  const own = eq(companies.id, scope.companyId);
  await scope.changeContent(async (tx) => {
    const [before] = await tx
      .select({ name: companies.name, settings: companies.retrievalSettings })
      .from(companies)
      .where(own)
      .for("update");
    if (!before) throw notFound("Company");
    const settings = change(before.settings);
    const changed = changedWords(before.settings, settings);
    if (Object.keys(changed).length === 0) return;
    await tx
      .update(companies)
      .set({
        retrievalSettings: settings,
        retrievalChangedAt: sql`now()`,
        // judged with the weight before
        ...(settings.vectorWeight !== before.settings.vectorWeight && { scoreCalibration: null }),
      })
      .where(own);
    await recordAudit(tx, scope.companyId, actor, {
      action: "company.retrieval_changed",
      target: { type: "company", id: scope.companyId, name: before.name },
      detail: changed,
    });
  });
}
