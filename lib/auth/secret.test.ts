import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { secretOf } from "./secret.ts";

test("a secret is created once per folder, readable only by its owner", () => {
  const folder = mkdtempSync(join(tmpdir(), "ragstone-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secret = secretOf(join(folder, "data"));
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(secretOf(join(folder, "data"))).toBe(secret);
  expect(statSync(join(folder, "data", "auth-secret")).mode & 0o777).toBe(0o600);
  expect(secretOf(folder)).not.toBe(secret);
  expect(readFileSync(join(folder, "auth-secret"), "utf8")).not.toContain("\n");
});
