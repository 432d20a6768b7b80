import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { Button } from "@/components/ui/button.tsx";
import { SUPPORT_MAY } from "@/lib/auth/role-words.ts";
import { currentAccount } from "@/lib/auth/session.ts";
import type { Proof } from "@/lib/members/proof.ts";
import { readInvitation } from "@/lib/members/redeem.ts";
import { InvalidLink } from "../../invalid-link.tsx";
import { LeaveButton } from "../../no-company/leave-button.tsx";
import { AcceptForm, JoinButton, JoinForm, RejoinForm } from "./invite-forms.tsx";

export const metadata: Metadata = { title: "Invitation" };

interface Props {
  params: Promise<{ token: string }>;
}

const ROLE_WORDS = {
  admin: "admin: you can see and change everything",
  support: `support: you can ${SUPPORT_MAY}`,
};

export default async function InvitePage({ params }: Props) {
  const { token } = await params;
  const account = await currentAccount();
  const invitation = await readInvitation(token, account?.userId ?? null);
  if (!invitation) return <InvalidLink validFor="seven days" />;
  const { email, companyName, role, proof } = invitation;
  return (
    <AuthFrame
      title={`Join ${companyName}`}
      description={
        <>
          The invitation is for <strong className="break-all font-medium text-foreground">{email}</strong>, as{" "}
          {ROLE_WORDS[role]}.
        </>
      }
    >
      <InviteForm proof={proof} token={token} email={email} companyName={companyName} />
    </AuthFrame>
  );
}

interface InviteFormProps {
  proof: Proof;
  token: string;
  email: string;
  companyName: string;
}

function InviteForm({ proof, token, email, companyName }: InviteFormProps) {
  switch (proof) {
    case "account":
      return <AcceptForm token={token} email={email} />;
    case "join":
      return <JoinButton token={token} companyName={companyName} />;
    case "password":
      return <JoinForm token={token} email={email} />;
    case "new-password":
    case "both-passwords":
      return <RejoinForm token={token} email={email} asksCurrent={proof === "both-passwords"} />;
    case "sign-in":
      return (
        <Button asChild className="w-fit">
          <Link href={`/sign-in?next=${encodeURIComponent(`/invite/${token}`)}`}>Sign in to join</Link>
        </Button>
      );
    case "sign-out":
      return (
        <>
          <p>
            You are signed in as someone else. If you are {email}, sign out and open this link again; otherwise send the
            link to them.
          </p>
          <LeaveButton />
        </>
      );
  }
}
