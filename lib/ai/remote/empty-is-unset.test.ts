import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllEnvs());

it("loads the remote models when OPENAI_BASE_URL is blank", async () => {
  vi.stubEnv("OPENAI_BASE_URL", " ");
  await expect(import("./openai.ts")).resolves.toHaveProperty("createRemoteAnswerModel");
});
