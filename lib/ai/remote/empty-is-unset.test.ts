import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

it("loads the remote models where OPENAI_BASE_URL is empty", async () => {
  vi.stubEnv("OPENAI_BASE_URL", " ");
  await expect(import("./openai.ts")).resolves.toHaveProperty("createRemoteAnswerModel");
});
