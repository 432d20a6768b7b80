import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { isRemote } from "./remote.ts";

const root = mkdtempSync(join(tmpdir(), "ragstone-remote-"));
writeFileSync(join(root, ".env"), "RAGSTONE_URL=https://knowledge.example.com\n");

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test("RAGSTONE_URL may be in .env, and an empty variable of the process takes precedence", () => {
  expect(isRemote(root)).toBe(false);
  vi.stubEnv("RAGSTONE_URL", undefined);
  expect(isRemote(root)).toBe(true);
});
