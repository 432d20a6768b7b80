import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { memberRoute } from "@/lib/auth/member-route.ts";
import { receive } from "@/lib/http/receive.ts";
import { importSources } from "@/lib/knowledge/export.ts";
import { EXPORT_BYTES_MAX } from "@/lib/knowledge/limits.ts";

/** An export as the body. It is kept on disk meanwhile, because it is checked whole before any of it is taken in. */
export const POST = memberRoute({ name: "knowledge.import", role: "admin" }, async ({ request, member }) => {
  const folder = await mkdtemp(path.join(tmpdir(), "ragstone-import-"));
  const file = path.join(folder, "knowledge.jsonl");
  try {
    await writeFile(file, receive(request, EXPORT_BYTES_MAX, "The file"), { mode: 0o600 });
    const accepted = await importSources(member.scope, member.actor, () => createReadStream(file));
    return { sources: accepted.length, changed: accepted.filter(({ unchanged }) => !unchanged).length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
