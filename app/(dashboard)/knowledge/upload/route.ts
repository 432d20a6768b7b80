import { memberRoute } from "@/lib/auth/member-route.ts";
import { parseInput } from "@/lib/errors.ts";
import { receive } from "@/lib/http/receive.ts";
import { addFiles } from "@/lib/knowledge/add.ts";
import { uploadInput } from "@/lib/knowledge/edit-input.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { withSpooled } from "@/lib/knowledge/storage/spool.ts";

/** One file as the body; its name and labels are in the address. */
export const POST = memberRoute({ name: "knowledge.upload", role: "admin" }, async ({ request, member }) => {
  const { name: sourceId, labels } = parseInput(uploadInput, Object.fromEntries(new URL(request.url).searchParams));
  return withSpooled(receive(request, FILE_BYTES_MAX, "The file"), async (spooled) => {
    const [accepted] = await addFiles(member.scope, member.actor, [{ ...labels, sourceId, spooled }]);
    return accepted;
  });
});
