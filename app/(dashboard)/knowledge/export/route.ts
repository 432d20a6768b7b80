import { memberRoute } from "@/lib/auth/member-route.ts";
import { dayOf } from "@/lib/durations.ts";
import { attachment } from "@/lib/http/attachment.ts";
import { streamLines } from "@/lib/http/stream-lines.ts";
import { exportSources } from "@/lib/knowledge/export.ts";

/** Streams the whole knowledge base, one source per line. */
export const GET = memberRoute({ name: "knowledge.export", role: "admin" }, async ({ member }) => {
  const lines = linesOf(exportSources(member.scope, member.actor));
  const date = dayOf(new Date());
  return new Response(await streamLines(lines), {
    headers: attachment(`knowledge-${date}.jsonl`, "application/x-ndjson"),
  });
});

async function* linesOf(exported: AsyncGenerator<{ line: string }>): AsyncGenerator<string> {
  for await (const { line } of exported) yield `${line}\n`;
}
