import { expect, test } from "vitest";
import { runCommand } from "./commands.ts";

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
