"use server";

import { action } from "@/lib/auth/action.ts";
import { addSources } from "@/lib/knowledge/add.ts";
import {
  manyLabelsInput,
  pastedTextInput,
  sourceIdsInput,
  sourceLabelsInput,
  writtenQuestionInput,
} from "@/lib/knowledge/edit-input.ts";
import { deleteSources, reindexSources, relabelSources, restoreSources } from "@/lib/knowledge/many.ts";
import { relabelSource } from "@/lib/knowledge/service.ts";

export const deleteSourcesAction = action(
  { name: "source.delete", role: "admin", schema: sourceIdsInput },
  ({ scope, actor, input }) => deleteSources(scope, actor, input.ids),
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
  ({ scope, actor, input: { ids, audience, contentCategory } }) =>
    relabelSources(scope, actor, ids, { ...(audience && { audience }), ...(contentCategory && { contentCategory }) }),
);

export const relabelSourceAction = action(
  { name: "source.relabel", role: "admin", schema: sourceLabelsInput },
  ({ scope, actor, input: { id, ...labels } }) => relabelSource(scope, actor, id, labels),
);

export const addTextAction = action(
  { name: "knowledge.add_text", role: "admin", schema: pastedTextInput },
  async ({ scope, actor, input }) => {
    const [accepted] = await addSources(scope, actor, [{ sourceType: "document", metadata: undefined, ...input }]);
    return accepted;
  },
);

export const addQuestionAction = action(
  { name: "knowledge.add_question", role: "admin", schema: writtenQuestionInput },
  async ({ scope, actor, input }) => {
    const [accepted] = await addSources(scope, actor, [{ sourceType: "qa", metadata: undefined, ...input }]);
    return accepted;
  },
);
