import { embedder } from "../../ai/models.ts";
import { batches } from "../../db/batches.ts";
import { embeddingModelId } from "../../db/system/models.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { ordinalsWithoutVector, writeVectors } from "../../search-index/write-chunks.ts";
import { prepareAhead } from "./prepare-ahead.ts";

/** Texts per call: many for a remote model, to save calls; few for the local one, whose vectors are written while it continues. */
const TEXTS_PER_CALL = { local: 16, remote: 64 };

/** Embeds the texts of these ordinals that have no vector of the model in use, and stores the vectors. */
export async function embedMissing(scope: TenantScope, texts: Map<number, string>, signal: AbortSignal): Promise<void> {
  const model = await embedder();
  const modelId = await embeddingModelId(model);
  const sought = { modelId, ordinals: [...texts.keys()] };
  const missing = [...(await scope.transaction((tx) => ordinalsWithoutVector(tx, scope.companyId, sought)))];
  await prepareAhead(
    batches(missing, model.local ? TEXTS_PER_CALL.local : TEXTS_PER_CALL.remote),
    async (batch) => {
      const vectors = await model.embedChunks(
        batch.map((ordinal) => texts.get(ordinal) ?? ""),
        signal,
      );
      return batch.flatMap((ordinal, index) => {
        const vector = vectors[index];
        return vector ? [{ ordinal, vector }] : [];
      });
    },
    (vectors) => writeVectors(scope, modelId, vectors),
  );
}
