import { z } from "zod";
import { requireAdmin, requireMembership } from "../audit/permissions.ts";
import { type Actor, recordAudit } from "../audit/record.ts";
import type { Transaction } from "../db/client.ts";
import { KEY_SCOPES, type KeyScope } from "../db/column-values.ts";
import { lockCompany } from "../db/lock-company.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { AppError, notFound, parseInput, validationError } from "../errors.ts";
import { generateToken, hashToken, maskToken } from "./key.ts";
import { insertKey, type KeyRow, lockKey, replaceKey, selectKey, selectKeys, updateKey } from "./queries.ts";
import { type KeyLimits, limitChanges, widenings } from "./restrict.ts";
import {
  type CreateKeyInput,
  createKeyInput,
  OVERLAP_MS,
  type RenameKeyInput,
  type RestrictKeyInput,
  type RotateKeyInput,
  renameKeyInput,
  restrictKeyInput,
  rotateKeyInput,
} from "./schema.ts";
import { isLive, keyStatus } from "./status.ts";

/** Enough for every integration of a company, few enough to notice an unwanted key. */
export const MAX_ACTIVE_KEYS = 100;
const TOO_MANY_KEYS = `A company can have at most ${MAX_ACTIVE_KEYS} active keys. Revoke one you no longer need.`;

const NOTHING_RESTRICTED =
  "already has exactly this access. Choose less access, an earlier expiry or a lower rate limit.";

/** A key for admins: with its mask instead of its hash. */
export type ApiKey = ReturnType<typeof toView>;

/** A key for members who do not manage keys. */
type KeyChoice = ReturnType<typeof toChoice>;

/** The only response that contains the token. */
export type CreatedKey = ApiKey & { token: string };

/** @throws {AppError} ValidationError; Conflict when the company has 100 active keys */
export async function createKey(scope: TenantScope, actor: Actor, input: CreateKeyInput): Promise<CreatedKey> {
  requireAdmin(scope, actor);
  const { name, expiresAt = null, rateLimitPerMinute = null, scopes, policy } = parseInput(createKeyInput, input);
  return scope.transaction(async (tx) => {
    await lockCompany(tx, scope.companyId);
    const keys = (await selectKeys(tx, scope.companyId)).map(toView);
    const active = keys.filter(({ status }) => status === "active");
    if (active.length >= MAX_ACTIVE_KEYS) throw new AppError("Conflict", TOO_MANY_KEYS);
    const created = await insertNewKey(tx, {
      companyId: scope.companyId,
      name,
      expiresAt,
      rateLimitPerMinute,
      scopes: sortedScopes(scopes ?? ["retrieve"]),
      policy: policy ?? {},
      createdBy: actor.type === "user" ? actor.id : null,
    });
    const { scopes: granted, policy: applied } = created;
    await audit(tx, scope, actor, "created", created, {
      expiresAt,
      rateLimitPerMinute,
      scopes: granted,
      policy: applied,
    });
    return created;
  });
}

/**
 * Lists keys, newest first, including revoked and expired ones.
 * @throws {AppError} Forbidden for support staff
 */
export async function listKeys(scope: TenantScope, actor: Actor): Promise<ApiKey[]> {
  requireAdmin(scope, actor);
  const rows = await scope.transaction((tx) => selectKeys(tx, scope.companyId));
  return rows.map((row) => toView(row));
}

/** @throws {AppError} NotFound; Forbidden for support staff */
export async function getKey(scope: TenantScope, actor: Actor, id: string): Promise<ApiKey> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => toView(requireFound(await selectKey(tx, keyRef(scope, id)))));
}

/** Lists keys for every member, to choose one by name; newest first. */
export async function listKeyChoices(scope: TenantScope, actor: Actor): Promise<KeyChoice[]> {
  requireMembership(scope, actor);
  const rows = await scope.transaction((tx) => selectKeys(tx, scope.companyId));
  return rows.map(toChoice);
}

/** @throws {AppError} NotFound */
export async function getKeyChoice(scope: TenantScope, actor: Actor, id: string): Promise<KeyChoice> {
  requireMembership(scope, actor);
  return scope.transaction(async (tx) => toChoice(requireFound(await selectKey(tx, keyRef(scope, id)))));
}

/** @throws {AppError} NotFound, ValidationError */
export async function renameKey(scope: TenantScope, actor: Actor, input: RenameKeyInput): Promise<ApiKey> {
  requireAdmin(scope, actor);
  const { id, name } = parseInput(renameKeyInput, input);
  return scope.transaction(async (tx) => {
    const before = requireFound(await lockKey(tx, keyRef(scope, id)));
    const key = toView(await updateKey(tx, keyRef(scope, id), { name }));
    await audit(tx, scope, actor, "renamed", key, { from: before.name });
    return key;
  });
}

/**
 * Reduces the access of a key: an earlier expiry, a lower rate limit, fewer scopes, a narrower policy. Applies from the
 * next request on.
 * @throws {AppError} NotFound; ValidationError, including for what would give the key more access; Conflict when the key is
 * revoked or expired, or has exactly this access already
 */
export async function restrictKey(scope: TenantScope, actor: Actor, input: RestrictKeyInput): Promise<ApiKey> {
  requireAdmin(scope, actor);
  const { id, ...wanted } = parseInput(restrictKeyInput, input);
  return scope.transaction(async (tx) => {
    const before = requireFound(await lockKey(tx, keyRef(scope, id)));
    requireLive(before, new Date());
    const after: KeyLimits = {
      expiresAt: wanted.expiresAt ?? before.expiresAt,
      rateLimitPerMinute: wanted.rateLimitPerMinute ?? before.rateLimitPerMinute,
      scopes: wanted.scopes ? sortedScopes(wanted.scopes) : before.scopes,
      policy: wanted.policy ?? before.policy,
    };
    const issues = widenings(before, after, { defaultPerMinute: env().rateLimitPerMinute });
    if (issues.length > 0) throw validationError(issues);
    const changes = limitChanges(before, after);
    if (Object.keys(changes).length === 0) throw conflict(before, NOTHING_RESTRICTED);
    const key = toView(await updateKey(tx, keyRef(scope, id), after));
    await audit(tx, scope, actor, "restricted", key, changes);
    return key;
  });
}

/**
 * Creates a replacement that inherits everything from the key, including its expiry. The old key keeps working for the
 * overlap, but never past its own expiry.
 * @throws {AppError} NotFound, ValidationError; Conflict when the key is revoked, expired or was rotated before
 */
export async function rotateKey(scope: TenantScope, actor: Actor, input: RotateKeyInput): Promise<CreatedKey> {
  requireAdmin(scope, actor);
  const { id, overlap } = parseInput(rotateKeyInput, input);
  return scope.transaction(async (tx) => {
    const old = requireFound(await lockKey(tx, keyRef(scope, id)));
    const now = new Date();
    requireActive(old, now);
    const created = await insertNewKey(tx, {
      companyId: scope.companyId,
      name: old.name,
      expiresAt: old.expiresAt,
      rateLimitPerMinute: old.rateLimitPerMinute,
      scopes: old.scopes,
      policy: old.policy,
      createdBy: actor.type === "user" ? actor.id : null,
    });
    const overlapEnd = new Date(now.getTime() + OVERLAP_MS[overlap]);
    const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await replaceKey(tx, keyRef(scope, id), { expiresAt, replacedById: created.id });
    await audit(tx, scope, actor, "rotated", toView(old), { replacedById: created.id, overlap, expiresAt });
    return created;
  });
}

/**
 * Revokes a key, effective with the next request. Revoking again changes nothing.
 * @throws {AppError} NotFound
 */
export async function revokeKey(scope: TenantScope, actor: Actor, id: string): Promise<ApiKey> {
  requireAdmin(scope, actor);
  return scope.transaction(async (tx) => {
    const before = requireFound(await lockKey(tx, keyRef(scope, id)));
    if (before.revokedAt) return toView(before);
    const key = toView(await updateKey(tx, keyRef(scope, id), { revokedAt: new Date() }));
    await audit(tx, scope, actor, "revoked", key);
    return key;
  });
}

/** Without duplicates, from the least to the most. */
function sortedScopes(scopes: readonly KeyScope[]): KeyScope[] {
  return KEY_SCOPES.filter((scope) => scopes.includes(scope));
}

type Inherited = Pick<
  KeyRow,
  "companyId" | "name" | "expiresAt" | "rateLimitPerMinute" | "scopes" | "policy" | "createdBy"
>;

async function insertNewKey(tx: Transaction, values: Inherited): Promise<CreatedKey> {
  const token = generateToken();
  const row = await insertKey(tx, { ...values, hash: hashToken(token), last4: token.slice(-4) });
  return { ...toView(row), token };
}

function toView({ hash: _, last4, ...row }: KeyRow) {
  return { ...row, maskedToken: maskToken(last4), status: keyStatus(row, new Date()) };
}

function toChoice(row: KeyRow) {
  const { id, name, maskedToken, policy, status, replacedById } = toView(row);
  return { id, name, maskedToken, policy, status, replacedById };
}

/** An id that is not a UUID is treated as unknown, like another company's. */
function keyRef(scope: TenantScope, id: string) {
  if (!z.uuid().safeParse(id).success) throw notFound("API key");
  return { companyId: scope.companyId, id };
}

function requireFound(row: KeyRow | undefined): KeyRow {
  if (!row) throw notFound("API key");
  return row;
}

function requireActive(key: KeyRow, now: Date): void {
  const status = keyStatus(key, now);
  if (status === "active") return;
  if (status === "retiring") throw conflict(key, "was already rotated. Rotate its replacement.");
  throw conflict(key, `is ${status}. Create a new key.`);
}

function requireLive(key: KeyRow, now: Date): void {
  const status = keyStatus(key, now);
  if (!isLive(status)) throw conflict(key, `is ${status}. Create a new key.`);
}

function conflict({ name }: KeyRow, reason: string): AppError {
  return new AppError("Conflict", `The key "${name}" ${reason}`);
}

async function audit(
  tx: Transaction,
  scope: TenantScope,
  actor: Actor,
  verb: "created" | "renamed" | "restricted" | "rotated" | "revoked",
  { id, name }: Pick<ApiKey, "id" | "name">,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, scope.companyId, actor, {
    action: `api_key.${verb}`,
    target: { type: "api_key", id, name },
    detail,
  });
}
