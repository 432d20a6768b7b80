import { memberRoute } from "@/lib/auth/member-route.ts";
import { dayOf } from "@/lib/durations.ts";
import { attachment } from "@/lib/http/attachment.ts";
import { testQuestionsAsCsv } from "@/lib/test-questions/csv.ts";

/** All test questions as CSV, in the form that an import reads. */
export const GET = memberRoute({ name: "test_question.export" }, async ({ member }) => {
  const csv = await testQuestionsAsCsv(member.scope, member.actor);
  const name = `test-questions-${dayOf(new Date())}.csv`;
  return new Response(csv, { headers: attachment(name, "text/csv; charset=utf-8") });
});
