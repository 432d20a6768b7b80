"use server";

import { z } from "zod";
import { action } from "@/lib/auth/action.ts";
import { addSources } from "@/lib/knowledge/intake/add.ts";
import { addQuestion, mergeQuestion } from "@/lib/knowledge/intake/add-question.ts";
import { editContent, getContent, restoreVersion } from "@/lib/knowledge/intake/edit-content.ts";
import {
  contentInput,
  manyLabelsInput,
  mergeInput,
  pastedTextInput,
  sourceIdsInput,
  sourceLabelsInput,
  undoRelabelInput,
  uploadCheckInput,
  versionInput,
  writtenQuestionInput,
} from "@/lib/knowledge/intake/edit-input.ts";
import { findGained } from "@/lib/knowledge/intake/refuse-widening.ts";
import { reindexSources, relabelSource, relabelSources, undoRelabel } from "@/lib/knowledge/intake/relabel.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { deleteSources, restoreSources } from "@/lib/knowledge/service.ts";

export const deleteSourcesAction = action(
  { name: "source.delete", role: "admin", schema: sourceIdsInput },
  async ({ scope, actor, input }) => (await deleteSources(scope, actor, input.ids)).map(({ id }) => id),
);

export const restoreSourcesAction = action(
  { name: "source.restore", role: "admin", schema: sourceIdsInput },
  ({ scope, actor, input }) => restoreSources(scope, actor, input.ids),
);

export const reindexSourcesAction = action(
  { name: "source.reindex", role: "admin", schema: sourceIdsInput },
  ({ scope, actor, input }) => reindexSources(scope, actor, input.ids),
);

export const relabelSourcesAction = action(
  { name: "source.relabel_many", role: "admin", schema: manyLabelsInput },
  ({ scope, actor, input: { ids, widen, ...labels } }) =>
    relabelSources(scope, actor, ids, labels, { widenTo: widenToOf(widen) }),
);

export const undoRelabelAction = action(
  { name: "source.undo_relabel", role: "admin", schema: undoRelabelInput },
  ({ scope, actor, input }) => undoRelabel(scope, actor, input.versionIds),
);

/** Lists the audiences that uploading these files would add, one list for each source that would gain any. */
export const checkUploadAction = action(
  { name: "knowledge.check_upload", role: "admin", schema: uploadCheckInput, refresh: false },
  async ({ scope, actor, input: { names, labels } }) => {
    const given = names.map((sourceId) => ({ sourceId, audience: labels.audience ?? null }));
    return [...(await findGained(scope, actor, given)).values()];
  },
);

export const relabelSourceAction = action(
  { name: "source.relabel", role: "admin", schema: sourceLabelsInput },
  ({ scope, actor, input: { id, ...labels } }) => relabelSource(scope, actor, id, labels),
);

/** Reads what the form of a source's content shows. */
export const readContentAction = action(
  { name: "source.read_content", schema: z.object({ id: z.uuid() }), refresh: false },
  async ({ scope, actor, input }) => {
    const { id: versionId, title, body } = await getContent(scope, actor, input.id);
    return { versionId, title, body };
  },
);

export const editContentAction = action(
  { name: "source.edit", role: "admin", schema: contentInput },
  ({ scope, actor, input }) => editContent(scope, actor, input),
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
