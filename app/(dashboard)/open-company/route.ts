import { memberRoute } from "@/lib/auth/member-route.ts";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import { writeSession } from "@/lib/auth/session-cookie.ts";
import { notFound } from "@/lib/errors.ts";
import { localPath } from "@/lib/http/local-path.ts";

/** Switches to the company that a link names, then opens the link. `requireLinkedMember` sends people here. */
export const GET = memberRoute({ name: "company.open" }, async ({ request, member }) => {
  const { searchParams } = new URL(request.url);
  if (searchParams.get(COMPANY_PARAM) !== member.company.id) throw notFound("Company");
  await writeSession({ id: member.sessionId, userId: member.userId, companyId: member.company.id });
  const headers = { Location: localPath(searchParams.get("next")) ?? "/overview", "Cache-Control": "no-store" };
  return new Response(null, { status: 303, headers });
});
