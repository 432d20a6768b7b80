import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import { createRemoteAnswerModel } from "../ai/remote/openai.ts";
import { env } from "../env.ts";

type Options = Pick<Parameters<typeof createRemoteAnswerModel>[0], "budget">;

/** Lets a test provider write the answers, and the local model where it fails. `RUNNING_MODELS.set()` undoes it. */
export function answerByProvider(url: string, options: Options = {}): void {
  const models = createModels(env());
  const model = createRemoteAnswerModel({ apiKey: null, baseUrl: `${url}/v1`, model: "remote", ...options });
  const fallback = models.answerModel().model;
  RUNNING_MODELS.set({ ...models, answerModel: () => ({ model, fallback, modelId: "remote" }) });
}
