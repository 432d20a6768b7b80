import { memberRoute } from "@/lib/auth/member-route.ts";
import { attachment } from "@/lib/http/attachment.ts";
import { exportSources } from "@/lib/knowledge/export.ts";

/** The whole knowledge base, a source a line, as it is read. */
export const GET = memberRoute({ name: "knowledge.export", role: "admin" }, async ({ member }) => {
  const lines = exportSources(member.scope, member.actor);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${value.line}\n`));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  const date = new Date().toISOString().slice(0, 10);
  return new Response(body, { headers: attachment(`knowledge-${date}.jsonl`, "application/x-ndjson") });
});
