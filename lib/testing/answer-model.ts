import { RUNNING_MODELS } from "../ai/models.ts";
import { createRemoteAnswerModel } from "../ai/remote/openai.ts";

type Options = Pick<Parameters<typeof createRemoteAnswerModel>[0], "budget">;

/** Lets a test provider write the answers, and the local model where it fails. `RUNNING_MODELS.set()` undoes it. */
export function answerByProvider(url: string, options: Options = {}): void {
  const models = RUNNING_MODELS.get();
  const model = createRemoteAnswerModel({ apiKey: null, baseUrl: `${url}/v1`, model: "remote", ...options });
  const local = models.answerModel();
  const fallback = local.fallback ?? local.model;
  RUNNING_MODELS.set({ ...models, answerModel: () => ({ model, fallback, modelId: "remote" }) });
}
