import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import { type Actor, type AuditTarget, recordAudit } from "../../audit/record.ts";
import type { Transaction } from "../../db/client.ts";
import { suggestions, users } from "../../db/schema/index.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { AppError, notFound } from "../../errors.ts";
import type { AcceptOptions } from "../intake/accept.ts";
import { addQuestion, mergeQuestion } from "../intake/add-question.ts";
import { editContent } from "../intake/edit-content.ts";
import type { AnsweredIn } from "../intake/find-answered.ts";
import type { acceptInput, declineInput } from "./schema.ts";
import { asVersion } from "./suggest.ts";

type Open = Awaited<ReturnType<typeof openSuggestion>>;
type Outcome = { id: string } | { answeredIn: AnsweredIn };

/**
 * Makes a suggestion the newest version of its source, or a new source. Unless `keepBoth` or `mergeInto` is set, a
 * question that another source answers stays a suggestion, and that source is returned.
 * @returns the id of the source
 * @throws {AppError} NotFound; Conflict when the suggestion is decided already; PreconditionFailed when the source has
 * a newer version than the one that the suggestion was compared with
 */
export async function acceptSuggestion(
  scope: TenantScope,
  actor: Actor,
  { id, versionId, keepBoth, mergeInto }: z.output<typeof acceptInput>,
): Promise<Outcome> {
  requireAdmin(scope, actor);
  const suggestion = await openSuggestion(scope, id);
  // in the transaction of the content, so that a suggestion that is declined or withdrawn in the meantime changes nothing
  const also: AcceptOptions["also"] = (tx, accepted) => {
    const target = { type: "source", id: accepted.id, name: asVersion(suggestion.content).title } as const;
    return decide(tx, scope.companyId, actor, { ...suggestion, decision: "accepted", target });
  };
  const outcome = await apply(scope, actor, suggestion, { versionId, keepBoth, mergeInto, also });
  return "answeredIn" in outcome ? outcome : { id: outcome.id };
}

/**
 * Declines a suggestion, with a reason for its author.
 * @throws {AppError} NotFound; Conflict when it is decided already
 */
export async function declineSuggestion(
  scope: TenantScope,
  actor: Actor,
  { id, reason }: z.output<typeof declineInput>,
): Promise<void> {
  requireAdmin(scope, actor);
  const suggestion = await openSuggestion(scope, id);
  const target = { type: "suggestion", id, name: id } as const;
  await scope.transaction((tx) =>
    decide(tx, scope.companyId, actor, { ...suggestion, decision: "declined", reason, target }),
  );
}

async function openSuggestion(scope: TenantScope, id: string) {
  const [row] = await scope.transaction((tx) =>
    tx
      .select({
        ...{ id: suggestions.id, sourceId: suggestions.sourceId, content: suggestions.content },
        ...{ decision: suggestions.decision, memberName: users.name },
      })
      .from(suggestions)
      .leftJoin(users, eq(users.id, suggestions.userId))
      .where(and(eq(suggestions.companyId, scope.companyId), eq(suggestions.id, id))),
  );
  if (!row) throw notFound("Suggestion");
  if (row.decision) throw decidedAlready();
  return row;
}

async function apply(
  scope: TenantScope,
  actor: Actor,
  { id, sourceId, content }: Open,
  { versionId, keepBoth, mergeInto, also }: Omit<z.output<typeof acceptInput>, "id"> & Pick<AcceptOptions, "also">,
): Promise<Outcome> {
  if (sourceId) {
    if (!versionId) throw notFound("Source");
    return editContent(scope, actor, { id: sourceId, versionId, content }, { also });
  }
  if (content.kind !== "qa") throw new AppError("Conflict", "Only questions can be added as new sources.");
  if (mergeInto) return mergeQuestion(scope, actor, { ...mergeInto, ...content }, { also });
  const labels = { audience: undefined, contentCategory: undefined, path: undefined };
  const outcome = await addQuestion(scope, actor, { ...labels, ...content, sourceId: id, keepBoth }, { also });
  return "added" in outcome ? outcome.added : outcome;
}

interface Decision extends Pick<Open, "id" | "memberName"> {
  decision: "accepted" | "declined";
  reason?: string;
  target: { type: AuditTarget; id: string; name: string };
}

async function decide(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  { id, memberName, decision, reason, target }: Decision,
): Promise<void> {
  const decided = await tx
    .update(suggestions)
    .set({ decision, reason, decidedAt: new Date(), decidedBy: actor.name })
    .where(and(eq(suggestions.companyId, companyId), eq(suggestions.id, id), isNull(suggestions.decision)))
    .returning({ id: suggestions.id });
  if (decided.length === 0) throw decidedAlready();
  const detail = { suggestedBy: memberName ?? "a former member" };
  await recordAudit(tx, companyId, actor, { action: `suggestion.${decision}`, target, detail });
}

function decidedAlready(): AppError {
  return new AppError("Conflict", "The suggestion has already been decided. Reload the page.");
}
