import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { verifyAnswers, withdrawVerification } from "../verify/verify.ts";
import { getManaged } from "./list.ts";
import type { verificationResponse } from "./responses.ts";

type VerifiedSource = z.input<typeof verificationResponse>;

/**
 * Verifies the answer of one question in the name of the key.
 * @param input.versionId the version that was read
 * @throws {AppError} NotFound, including when the actor may not see the source; Conflict, PreconditionFailed
 */
export async function verifySource(
  scope: TenantScope,
  actor: Actor,
  id: string,
  input: { until: string | null; versionId: string | undefined },
): Promise<VerifiedSource> {
  requireAdmin(scope, actor, "manage");
  await getManaged(scope, actor, id);
  await verifyAnswers(scope, actor, { ids: [id], ...input });
  return verificationOf(scope, actor, id);
}

/** Withdraws the verification of one answer, if it has one. @throws {AppError} NotFound */
export async function withdrawSource(scope: TenantScope, actor: Actor, id: string): Promise<VerifiedSource> {
  requireAdmin(scope, actor, "manage");
  await getManaged(scope, actor, id);
  await withdrawVerification(scope, actor, [id]);
  return verificationOf(scope, actor, id);
}

async function verificationOf(scope: TenantScope, actor: Actor, rowId: string): Promise<VerifiedSource> {
  const { id, sourceId, verification } = await getManaged(scope, actor, rowId);
  return { id, sourceId, verification };
}
