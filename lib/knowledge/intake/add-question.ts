import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { requireAdmin } from "../../audit/permissions.ts";
import type { Actor } from "../../audit/record.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { AppError } from "../../errors.ts";
import type { Accepted, AcceptOptions } from "./accept.ts";
import { addSources } from "./add.ts";
import { editContent, getContent } from "./edit-content.ts";
import type { contentInput, mergeInput, writtenQuestionInput } from "./edit-input.ts";
import { type AnsweredIn, findAnswered } from "./find-answered.ts";
import type { SourceInput } from "./source-input.ts";
import { widenToOf } from "./widening.ts";

/** The most phrasings that a question can have besides its own text. */
export const ALTERNATIVES_MAX = 50;

type Added = { added: Accepted } | { answeredIn: AnsweredIn };

/**
 * Adds a question with its answer. If another source already answers it and `keepBoth` is not set, adds nothing and
 * returns that source.
 * @throws {AppError} as `addSources`
 */
export async function addQuestion(
  scope: TenantScope,
  actor: Actor,
  { widen, keepBoth, ...question }: z.output<typeof writtenQuestionInput>,
  options?: Pick<AcceptOptions, "also">,
): Promise<Added> {
  requireAdmin(scope, actor);
  const answeredIn = keepBoth ? null : await findAnswered(scope, actor, question);
  if (answeredIn) return { answeredIn };
  const source = { sourceType: "qa" as const, metadata: undefined, ...question };
  const [added] = await addSources(scope, actor, [source], { ...options, widenTo: widenToOf(widen) });
  if (!added) throw new Error("the question was not accepted");
  return { added };
}

/**
 * Gives a source new content, as a new version, unless its changed question is answered by another source and `keepBoth`
 * is not set: then nothing is saved, and that source is returned.
 * @throws {AppError} as `editContent`
 */
export async function editQuestion(
  scope: TenantScope,
  actor: Actor,
  { keepBoth, ...edit }: z.output<typeof contentInput>,
): Promise<Added> {
  requireAdmin(scope, actor);
  const { content } = edit;
  if (content.kind === "qa" && !keepBoth) {
    const { title, sourceId } = await getContent(scope, actor, edit.id);
    const isChanged = content.question !== title;
    const answeredIn = isChanged ? await findAnswered(scope, actor, { question: content.question, sourceId }) : null;
    if (answeredIn) return { answeredIn };
  }
  return { added: await editContent(scope, actor, edit) };
}

/**
 * Gives a source another answer, as a new version. The question stays, and the new one becomes one of its other
 * phrasings.
 * @throws {AppError} NotFound; PreconditionFailed when the source has a newer version than the one that was shown;
 *   Conflict when the source is not a question and answer, or has no room for another phrasing
 */
export async function mergeQuestion(
  scope: TenantScope,
  actor: Actor,
  { id, versionId, question, answer, alternatives = [] }: z.output<typeof mergeInput>,
  options?: Pick<AcceptOptions, "also">,
): Promise<Accepted> {
  requireAdmin(scope, actor);
  const { id: newestId, body } = await getContent(scope, actor, id);
  if (body.kind !== "qa")
    throw new AppError("Conflict", "The source is no longer a question with an answer. Reload the page.");
  const phrasings = phrasingsOf(body, [question, ...alternatives]);
  const content = { ...body, answer, alternatives: phrasings };
  // a client whose response was lost sends the answer again
  if (newestId !== versionId && !isDeepStrictEqual(content, body)) {
    throw new AppError("PreconditionFailed", "The existing answer has changed. Cancel, then try again to see it.");
  }
  if (phrasings.length > ALTERNATIVES_MAX) {
    const message = `A question can have ${ALTERNATIVES_MAX} other phrasings. Remove one from the source first, or add the question beside it.`;
    throw new AppError("Conflict", message);
  }
  return editContent(scope, actor, { id, versionId, content }, options);
}

type Row = Extract<SourceInput, { sourceType: "qa" }>;

/** A row of a file as the new answer of the source that has its question already. The labels of the source stay. */
export function asMerged(row: Row, existing: AnsweredIn) {
  const { sourceId, question } = existing;
  const labels = { audience: undefined, contentCategory: undefined, path: undefined, metadata: undefined };
  const alternatives = mergedPhrasings(row, existing);
  return { sourceType: "qa" as const, ...labels, sourceId, question, answer: row.answer, alternatives };
}

/** Whether the source has room for the question of the row and its other phrasings. */
export function hasRoomFor(row: Row, existing: AnsweredIn): boolean {
  return mergedPhrasings(row, existing).length <= ALTERNATIVES_MAX;
}

function mergedPhrasings(row: Row, existing: AnsweredIn): string[] {
  return phrasingsOf(existing, [row.question, ...(row.alternatives ?? [])]);
}

function phrasingsOf({ question, alternatives }: { question: string; alternatives: string[] }, more: string[]) {
  const known = new Map([...alternatives, ...more].map((text) => [text.toLowerCase(), text]));
  known.delete(question.toLowerCase());
  return [...known.values()];
}
