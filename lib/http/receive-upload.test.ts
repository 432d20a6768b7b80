import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { tenantScope } from "../db/tenant.ts";
import { receiveUpload } from "./receive-file.ts";

const MIB = 1024 * 1024;
const scope = tenantScope("0192aaaa-0000-7000-8000-000000000001");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ragstone-receive-"));
  vi.stubEnv("DATA_DIR", folder);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Receives a file in a form with labels, up to 1 MiB, and returns its size. */
function receiveForm(bytes: number): Promise<number> {
  const form = new FormData();
  form.set("labels", JSON.stringify({ path: ["A"] }));
  form.set("file", new Blob([new Uint8Array(bytes)]), "a.txt");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  return receiveUpload(scope, { request, bytesMax: MIB }, async ({ file }) => file.byteLength);
}

test("a file in a form has the limit of a file that is the whole body", async () => {
  expect(await receiveForm(MIB)).toBe(MIB);
  for (const bytes of [MIB + 1, 3 * MIB]) {
    await expect(receiveForm(bytes)).rejects.toMatchObject({
      error: "PayloadTooLarge",
      message: "The file is larger than 1 MB. Split it.",
    });
  }
});
