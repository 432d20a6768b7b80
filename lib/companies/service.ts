import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isOperator, requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import { changedSettings } from "../changed-settings.ts";
import type { Transaction } from "../db/client.ts";
import { lockCompany } from "../db/lock-company.ts";
import { memberships } from "../db/schema/index.ts";
import { deleteCompanyRow, insertCompany, selectCompanies } from "../db/system/companies.ts";
import { type TenantScope, tenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { AppError, notFound, parseInput } from "../errors.ts";
import { log } from "../log.ts";
import { objectStore } from "../storage/index.ts";
import { beginHistory } from "../subscriptions/service.ts";
import {
  ACCESS_TABLES,
  CONTENT_TABLES,
  type CompanyRow,
  DASHBOARD_TABLES,
  deleteRows,
  REFERENCED_TABLES,
  selectCompany,
  selectStorageKeys,
  type TenantTable,
  updateCompany,
} from "./queries.ts";
import {
  type ChangeSettingsInput,
  type CompanyNameInput,
  type CreateCompanyInput,
  changeSettingsInput,
  companyNameInput,
  createCompanyInput,
} from "./schema.ts";

/** Small enough that a concurrent request waits only milliseconds. */
const ROWS_PER_TRANSACTION = 1_000;
/** Fewer, because the database checks for each of these rows whether another row refers to it. */
const REFERENCED_ROWS_PER_TRANSACTION = 100;

/**
 * Creates a company with an open-ended `ACTIVE` subscription; a member who creates one becomes its admin.
 * @throws {AppError} ValidationError; Forbidden for keys and support staff, and for every member when self-service is off
 */
export async function createCompany(actor: Actor, input: CreateCompanyInput): Promise<CompanyRow> {
  if ("companyId" in actor) requireAdmin(actor, actor);
  if (!mayCreateCompany(actor)) {
    throw new AppError("Forbidden", "The operator of this server creates companies. Ask them for a new one.");
  }
  return makeCompany(actor, parseInput(createCompanyInput, input));
}

/** The operator may, and admins when self-service is on. */
export function mayCreateCompany(actor: Actor): boolean {
  return isOperator(actor) || (actor.type === "user" && actor.role === "admin" && env().selfService);
}

/**
 * Creates the first company of an installation. `first` checks the permission, in the same transaction.
 * @throws {AppError} ValidationError, and errors of `first`
 */
export async function createFirstCompany(
  founder: Pick<Actor & { type: "user" }, "id" | "name">,
  input: CreateCompanyInput,
  first: (tx: Transaction) => Promise<void>,
): Promise<CompanyRow> {
  const id = randomUUID();
  const actor: Actor = { ...founder, type: "user", companyId: id, role: "admin" };
  return makeCompany(actor, { ...parseInput(createCompanyInput, input), id }, first);
}

async function makeCompany(
  actor: Actor,
  values: Parameters<typeof insertCompany>[0],
  first?: (tx: Transaction) => Promise<void>,
): Promise<CompanyRow> {
  const also: Parameters<typeof insertCompany>[1] = async (tx, { company, subscription }) => {
    if (actor.type === "user") {
      await tx.insert(memberships).values({ companyId: company.id, userId: actor.id, role: "admin" });
    }
    await beginHistory(tx, subscription, actor);
    await recordAudit(tx, tenantScope(company.id).companyId, actor, {
      action: "company.created",
      target: { type: "company", id: company.id, name: company.name },
    });
  };
  return insertCompany(values, also, first);
}

/** Lists every company of the installation, oldest first, for the operator. */
export async function listCompanies(): Promise<CompanyRow[]> {
  return selectCompanies();
}

/**
 * The tenant scope of an existing company, for an id that someone typed.
 * @throws {AppError} NotFound
 */
export async function companyScope(id: string): Promise<TenantScope> {
  if (!z.uuid().safeParse(id).success) throw notFound("Company");
  const scope = tenantScope(id);
  await companyOf(scope);
  return scope;
}

/**
 * Returns name and settings.
 * @throws {AppError} NotFound
 */
export async function getCompany(scope: TenantScope, actor: Actor): Promise<CompanyRow> {
  requireMembership(scope, actor);
  return companyOf(scope);
}

async function companyOf(scope: TenantScope): Promise<CompanyRow> {
  return scope.transaction(async (tx) => requireFound(await selectCompany(tx, scope.companyId)));
}

/** @throws {AppError} NotFound, ValidationError */
export async function renameCompany(scope: TenantScope, actor: Actor, input: CompanyNameInput): Promise<CompanyRow> {
  const { name } = parseInput(companyNameInput, input);
  return update(scope, actor, "renamed", { name });
}

/**
 * Updates settings; missing entries stay unchanged. The audit log names those that differ.
 * @throws {AppError} NotFound, ValidationError; Conflict when the days to keep requests are not those that were shown
 */
export async function updateCompanySettings(
  scope: TenantScope,
  actor: Actor,
  input: ChangeSettingsInput,
): Promise<CompanyRow> {
  const { shownRetentionDays, ...values } = parseInput(changeSettingsInput, input);
  return update(scope, actor, "settings_changed", values, (before) => {
    if (shownRetentionDays !== undefined && shownRetentionDays !== before.queryRetentionDays) {
      throw new AppError("Conflict", "The number of days to keep requests has changed. Reload the page.");
    }
  });
}

/**
 * Deletes every row and every uploaded file of the company, in small transactions, its keys first. When interrupted, it
 * can be called again to continue, even by an admin of the company, because its members are deleted last.
 * @throws {AppError} NotFound; Forbidden for support staff
 */
export async function deleteCompany(scope: TenantScope, actor: Actor): Promise<void> {
  requireAdmin(scope, actor);
  await companyOf(scope);
  for (const table of ACCESS_TABLES) await emptyTable(scope, table);
  const storageKeys = await scope.transaction((tx) => selectStorageKeys(tx, scope.companyId));
  for (const key of storageKeys) await objectStore().delete(key);
  for (const table of CONTENT_TABLES) await emptyTable(scope, table);
  // a worker with one of the company's jobs may have written more rows
  await deleteCompanyRow(scope.companyId, async (tx) => {
    const tables = [...CONTENT_TABLES, ...ACCESS_TABLES, ...DASHBOARD_TABLES];
    for (const table of tables) await deleteRows(tx, table, scope.companyId);
  });
  await deleteLeftOriginals(scope.companyId);
}

/** Deletes files that no row named: of uploads that were interrupted, or that ran during the deletion. */
async function deleteLeftOriginals(companyId: string): Promise<void> {
  await objectStore()
    .deleteAll(companyId)
    .catch((err: unknown) => log().error({ err, companyId }, "files of a deleted company could not be deleted"));
}

async function emptyTable(scope: TenantScope, table: TenantTable): Promise<void> {
  const limit = REFERENCED_TABLES.includes(table) ? REFERENCED_ROWS_PER_TRANSACTION : ROWS_PER_TRANSACTION;
  let deleted: number;
  do {
    deleted = await scope.transaction((tx) => deleteRows(tx, table, scope.companyId, limit));
  } while (deleted === limit);
}

async function update(
  scope: TenantScope,
  actor: Actor,
  verb: "renamed" | "settings_changed",
  values: Partial<Pick<CompanyRow, "name" | "defaultAudience" | "queryRetentionDays" | "hashQueries" | "keepAnswers">>,
  check?: (before: CompanyRow) => void,
): Promise<CompanyRow> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => {
    const before = requireFound(await lockCompany(tx, scope.companyId));
    check?.(before);
    const changed = changedSettings<typeof values>(before, values);
    if (Object.keys(changed).length === 0) return before;
    const after = await updateCompany(tx, scope.companyId, changed);
    await recordAudit(tx, scope.companyId, actor, {
      action: `company.${verb}`,
      target: { type: "company", id: scope.companyId, name: after.name },
      detail: { ...changed },
    });
    return after;
  });
}

function requireFound(company: CompanyRow | undefined): CompanyRow {
  if (!company) throw notFound("Company");
  return company;
}
