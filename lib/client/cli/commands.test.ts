import { afterEach, expect, test, vi } from "vitest";
import { runCommand } from "./commands.ts";

afterEach(() => vi.unstubAllEnvs());

const NONE = { json: false, help: false };

test.each([
  [["search", "how", "do", "I", "cancel?"], {}, /^"do" is one word too many\. Put quotes around/],
  [["source", "list"], { audience: "staff" }, /^"source list" does not take --audience\./],
  [["search", "notice period"], { prune: "20" }, /^"search" does not take --prune\./],
  [["ingest", "docs"], { metadata: ["team=x"] }, /^"ingest" does not take --metadata\./],
  [["source", "rename"], {}, /unknown or incomplete/],
])("%j with %j is refused", async (words, options, message) => {
  await expect(runCommand(words, { ...NONE, ...options })).rejects.toThrow(message);
});

test.each([[""], [" "]])("a path that is %j is not the current folder", async (path) => {
  vi.stubEnv("RAGSTONE_URL", "http://127.0.0.1:1");
  vi.stubEnv("RAGSTONE_API_KEY", "unused");
  const message = "The path is empty. Name a file or a folder.";
  await expect(runCommand(["ingest", path], { ...NONE, prune: "9" })).rejects.toThrow(message);
});
