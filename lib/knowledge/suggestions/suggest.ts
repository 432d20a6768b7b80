import { and, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { requirePerson } from "../../audit/permissions.ts";
import { type Actor, recordAudit } from "../../audit/record.ts";
import { requireRow } from "../../db/require-row.ts";
import { suggestions } from "../../db/schema/index.ts";
import type { SuggestedContent } from "../../db/stored-json.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { AppError, notFound } from "../../errors.ts";
import { comparableText, getContent } from "../intake/edit-content.ts";
import type { suggestionInput } from "./schema.ts";

/** The title and the body of a source once the content is accepted. */
export function asVersion(content: SuggestedContent) {
  return { title: content.kind === "qa" ? content.question : content.title, body: content };
}

/**
 * Stores the text that a member suggests for a source, or a question with its answer. It is not searched until an admin
 * accepts it.
 * @returns the id of the suggestion
 * @throws {AppError} NotFound without the source; Conflict when its content is of another kind, or the same
 */
export async function suggestContent(
  scope: TenantScope,
  actor: Actor,
  { sourceId, content, note, requestId }: z.output<typeof suggestionInput>,
): Promise<string> {
  const { id: userId } = requirePerson(scope, actor);
  if (sourceId) {
    const now = await getContent(scope, actor, sourceId);
    if (now.body.kind !== content.kind)
      throw new AppError("Conflict", "The type of the source has changed. Reload the page.");
    if (comparableText(now) === comparableText(asVersion(content))) {
      throw new AppError("Conflict", "The source already has this text. Change the text, then send the suggestion.");
    }
  } else if (content.kind !== "qa") throw new AppError("Conflict", "Only questions can be suggested as new sources.");
  const { companyId } = scope;
  return scope.transaction(async (tx) => {
    const row = requireRow(
      await tx
        .insert(suggestions)
        .values({ companyId, sourceId, content, note, requestId, userId })
        .returning({ id: suggestions.id }),
    );
    // a suggested text may repeat a question, which the audit log must not keep
    await recordAudit(tx, companyId, actor, {
      action: "suggestion.made",
      target: { type: "suggestion", id: row.id, name: row.id },
    });
    return row.id;
  });
}

/** Deletes an open suggestion of the member. @throws {AppError} NotFound, including once the suggestion is decided */
export async function withdrawSuggestion(scope: TenantScope, actor: Actor, id: string): Promise<void> {
  const { id: userId } = requirePerson(scope, actor);
  const { companyId } = scope;
  await scope.transaction(async (tx) => {
    const own = and(eq(suggestions.id, id), eq(suggestions.userId, userId), isNull(suggestions.decision));
    const withdrawn = await tx
      .delete(suggestions)
      .where(and(eq(suggestions.companyId, companyId), own))
      .returning({ id: suggestions.id });
    if (withdrawn.length === 0) throw notFound("Suggestion");
    const target = { type: "suggestion", id, name: id } as const;
    await recordAudit(tx, companyId, actor, { action: "suggestion.withdrawn", target });
  });
}
