"use server";

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Actor } from "@/lib/audit/record.ts";
import { action } from "@/lib/auth/action.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { sourceFilter } from "@/lib/knowledge/browse/browse-query.ts";
import { matchingSources, stillMatching } from "@/lib/knowledge/browse/matching-sources.ts";
import { addSources } from "@/lib/knowledge/intake/add.ts";
import { addQuestion, editQuestion, mergeQuestion } from "@/lib/knowledge/intake/add-question.ts";
import { getContent, restoreVersion } from "@/lib/knowledge/intake/edit-content.ts";
import {
  chosenSourcesInput,
  contentInput,
  manyLabelsInput,
  mergeInput,
  pastedTextInput,
  sourceLabelsInput,
  undoRelabelInput,
  uploadCheckInput,
  versionInput,
  writtenQuestionInput,
} from "@/lib/knowledge/intake/edit-input.ts";
import { findGained } from "@/lib/knowledge/intake/refuse-widening.ts";
import { reindexSources, relabelSource, relabelSources, undoRelabel } from "@/lib/knowledge/intake/relabel.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { restoreSources } from "@/lib/knowledge/restore.ts";
import { deleteSources } from "@/lib/knowledge/service.ts";
import { verifiedIdsInput, verifyInput } from "@/lib/knowledge/verify/schema.ts";
import { verifyAnswers, withdrawVerification } from "@/lib/knowledge/verify/verify.ts";
import { rememberDismissedUndo } from "./dismissed-undo.ts";

/** Lists all sources that a filter finds, to change them together. */
export const matchingSourcesAction = action(
  { name: "source.match", role: "admin", schema: sourceFilter, refresh: false },
  ({ scope, actor, input }) => matchingSources(scope, actor, input),
);

type Chosen = Pick<z.output<typeof chosenSourcesInput>, "ids" | "filter">;

/** Leaves out the sources that changed after they were chosen. */
async function stillChosen(scope: TenantScope, actor: Actor, { ids, filter }: Chosen): Promise<string[]> {
  return filter ? stillMatching(scope, actor, ids, filter) : ids;
}

export const deleteSourcesAction = action(
  { name: "source.delete", role: "admin", schema: chosenSourcesInput },
  async ({ scope, actor, input }) => idsOf(await deleteSources(scope, actor, await stillChosen(scope, actor, input))),
);

export const restoreSourcesAction = action(
  { name: "source.restore", role: "admin", schema: chosenSourcesInput },
  async ({ scope, actor, input }) => idsOf(await restoreSources(scope, actor, await stillChosen(scope, actor, input))),
);

function idsOf(sources: { id: string }[]): string[] {
  return sources.map(({ id }) => id);
}

export const reindexSourcesAction = action(
  { name: "source.reindex", role: "admin", schema: chosenSourcesInput },
  async ({ scope, actor, input }) => idsOf(await reindexSources(scope, actor, await stillChosen(scope, actor, input))),
);

/** Returns the id of the change, for its undo, and the number of sources that it changed and left out. */
export const relabelSourcesAction = action(
  { name: "source.relabel_many", role: "admin", schema: manyLabelsInput },
  async ({ scope, actor, input: { ids, filter, widen, ...labels } }) => {
    const chosen = await stillChosen(scope, actor, { ids, filter });
    const relabelId = randomUUID();
    const done = await relabelSources(scope, actor, chosen, labels, { widenTo: widenToOf(widen), relabelId });
    const changed = done.filter(({ changes }) => changes.length > 0).length;
    return { relabelId, changed, leftOut: ids.length - done.length };
  },
);

/** Returns the number of sources whose labels it restored and left out. */
export const undoRelabelAction = action(
  { name: "source.undo_relabel", role: "admin", schema: undoRelabelInput },
  async ({ scope, actor, input }) => {
    const { undone, leftOut } = await undoRelabel(scope, actor, input.relabelId);
    return { done: undone.length, leftOut };
  },
);

/** Stops offering the undo on this browser. */
export const dismissUndoAction = action(
  { name: "source.dismiss_undo", role: "admin", schema: undoRelabelInput },
  ({ input }) => rememberDismissedUndo(input.relabelId),
);

/** Lists the audiences that uploading each of these files would add to its source. */
export const checkUploadAction = action(
  { name: "knowledge.check_upload", role: "admin", schema: uploadCheckInput, refresh: false },
  async ({ scope, actor, input: { names, labels } }) => {
    const given = names.map((sourceId) => ({ sourceId, audience: labels.audience ?? null }));
    const gained = await findGained(scope, actor, given);
    return names.map((sourceId) => gained.get(sourceId) ?? []);
  },
);

export const relabelSourceAction = action(
  { name: "source.relabel", role: "admin", schema: sourceLabelsInput },
  ({ scope, actor, input: { id, versionId, ...labels } }) =>
    relabelSource(scope, actor, id, labels, { ifMatch: versionId }),
);

/** Reads what the form of a source's content shows. */
export const readContentAction = action(
  { name: "source.read_content", schema: z.object({ id: z.uuid() }), refresh: false },
  async ({ scope, actor, input }) => {
    const { id: versionId, title, body, verifiedAt } = await getContent(scope, actor, input.id);
    return { versionId, title, body, isVerified: verifiedAt !== null };
  },
);

export const editContentAction = action(
  { name: "source.edit", role: "admin", schema: contentInput },
  ({ scope, actor, input }) => editQuestion(scope, actor, input),
);

export const restoreVersionAction = action(
  { name: "source.restore_version", role: "admin", schema: versionInput },
  ({ scope, actor, input }) => restoreVersion(scope, actor, input.id, input.number),
);

export const addTextAction = action(
  { name: "knowledge.add_text", role: "admin", schema: pastedTextInput },
  async ({ scope, actor, input: { widen, ...text } }) => {
    const source = { sourceType: "document" as const, metadata: undefined, ...text };
    const [accepted] = await addSources(scope, actor, [source], { widenTo: widenToOf(widen) });
    return accepted;
  },
);

export const addQuestionAction = action(
  { name: "knowledge.add_question", role: "admin", schema: writtenQuestionInput },
  ({ scope, actor, input }) => addQuestion(scope, actor, input),
);

export const mergeQuestionAction = action(
  { name: "knowledge.merge_question", role: "admin", schema: mergeInput },
  ({ scope, actor, input }) => mergeQuestion(scope, actor, input),
);

export const verifyAction = action(
  { name: "knowledge.verify", role: "admin", schema: verifyInput },
  async ({ scope, actor, input: { ids, filter, ...input } }) => {
    const chosen = await stillChosen(scope, actor, { ids, filter });
    return chosen.length > 0 ? verifyAnswers(scope, actor, { ...input, ids: chosen }) : 0;
  },
);

export const withdrawVerificationAction = action(
  { name: "knowledge.withdraw_verification", role: "admin", schema: verifiedIdsInput },
  ({ scope, actor, input }) => withdrawVerification(scope, actor, input.ids),
);
