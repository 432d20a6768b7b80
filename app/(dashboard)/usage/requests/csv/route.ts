import { memberRoute } from "@/lib/auth/member-route.ts";
import { dayOf } from "@/lib/durations.ts";
import { attachment } from "@/lib/http/attachment.ts";
import { streamLines } from "@/lib/http/stream-lines.ts";
import { logAsCsv } from "@/lib/usage/log-csv.ts";
import { loadLogParams, toLogFilter } from "../../search-params.ts";

/** Streams the filtered log, all pages of it, as CSV. */
export const GET = memberRoute({ name: "usage.export" }, async ({ request, member }) => {
  const lines = logAsCsv(member.scope, member.actor, toLogFilter(loadLogParams(request)));
  const date = dayOf(new Date());
  return new Response(await streamLines(lines), {
    headers: attachment(`requests-${date}.csv`, "text/csv; charset=utf-8"),
  });
});
