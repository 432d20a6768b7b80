import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { receiveFile } from "@/lib/http/receive-file.ts";
import { addFiles } from "@/lib/knowledge/intake/add.ts";
import { uploadInput } from "@/lib/knowledge/intake/edit-input.ts";
import { refuseWidening } from "@/lib/knowledge/intake/refuse-widening.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";

/** Accepts one file as the body; its name and labels are in the query string. */
export const POST = memberRoute({ name: "knowledge.upload", role: "admin" }, async ({ request, member, recheck }) => {
  const input = parseInput(uploadInput, Object.fromEntries(new URL(request.url).searchParams));
  const { name: sourceId, fileName, labels } = input;
  const { scope, actor } = member;
  const widenTo = input.widenTo ?? [];
  // before the body is read
  await refuseWidening(scope, actor, [{ sourceId, audience: labels.audience ?? null }], widenTo);
  return receiveFile(scope, { request, bytesMax: FILE_BYTES_MAX, recheck }, async (spooled) => {
    const [accepted] = await addFiles(scope, actor, [{ ...labels, sourceId, fileName, spooled }], { widenTo });
    return accepted;
  });
});
