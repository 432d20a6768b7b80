import { createReadStream } from "node:fs";
import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { receiveFile } from "@/lib/http/receive-file.ts";
import { importSources } from "@/lib/knowledge/import.ts";
import { importInput } from "@/lib/knowledge/intake/edit-input.ts";
import { widenToOf } from "@/lib/knowledge/intake/widening.ts";
import { EXPORT_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { relabelledOf } from "@/lib/label-changes.ts";

/** Imports an export. The body is spooled to disk, because the whole file is checked before anything is imported. */
export const POST = memberRoute({ name: "knowledge.import", role: "admin" }, async ({ request, member, recheck }) => {
  const { widen, keepVerifications } = parseInput(importInput, Object.fromEntries(new URL(request.url).searchParams));
  const { scope, actor } = member;
  return receiveFile(scope, { request, bytesMax: EXPORT_BYTES_MAX, recheck }, async ({ path }) => {
    const open = () => createReadStream(path);
    const options = { widenTo: widenToOf(widen), keepVerifications };
    const { accepted, verifications } = await importSources(scope, actor, open, options);
    const changed = accepted.filter(({ unchanged }) => !unchanged).length;
    return { sources: accepted.length, changed, relabelled: relabelledOf(accepted), verifications };
  });
});
