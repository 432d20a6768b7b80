import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { SUPPORT_MAY } from "@/lib/auth/role-words.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { listInvitations } from "@/lib/members/links.ts";
import { listMembers } from "@/lib/members/service.ts";
import { InvitationTable } from "./invitation-table.tsx";
import { InviteButton } from "./invite-button.tsx";
import { MemberTable } from "./member-table.tsx";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage() {
  const { scope, actor, userId, company } = await requireMember({ role: "admin" });
  const [members, invitations] = await Promise.all([listMembers(scope, actor), listInvitations(scope, actor)]);
  return (
    <>
      <PageHeader
        title="Members"
        description={`People who can sign in to ${company.name}. Admins can change everything; support can ${SUPPORT_MAY}.`}
        actions={<InviteButton />}
      />
      <MemberTable members={members} self={userId} />
      {invitations.length > 0 && (
        <section aria-labelledby="invitations" className="grid gap-3">
          <h2 id="invitations" className="font-semibold text-base">
            Pending invitations
          </h2>
          <InvitationTable invitations={invitations} />
        </section>
      )}
    </>
  );
}
