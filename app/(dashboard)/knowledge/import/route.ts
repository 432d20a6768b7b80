import { createReadStream } from "node:fs";
import { memberRoute } from "@/lib/auth/member-route.ts";
import { receive } from "@/lib/http/receive.ts";
import { importSources } from "@/lib/knowledge/export.ts";
import { EXPORT_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import { withSpooled } from "@/lib/knowledge/storage/spool.ts";

/** An export as the body. It is kept on disk meanwhile, because it is checked whole before any of it is taken in. */
export const POST = memberRoute({ name: "knowledge.import", role: "admin" }, async ({ request, member }) =>
  withSpooled(receive(request, EXPORT_BYTES_MAX, "The file"), async ({ path }) => {
    const accepted = await importSources(member.scope, member.actor, () => createReadStream(path));
    return { sources: accepted.length, changed: accepted.filter(({ unchanged }) => !unchanged).length };
  }),
);
