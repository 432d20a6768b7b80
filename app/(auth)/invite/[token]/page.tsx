import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { Button } from "@/components/ui/button.tsx";
import { currentAccount } from "@/lib/auth/session.ts";
import { readInvitation } from "@/lib/members/redeem.ts";
import { LinkIsOver } from "../../link-is-over.tsx";
import { AcceptForm, JoinButton, JoinForm } from "./invite-forms.tsx";

export const metadata: Metadata = { title: "Invitation" };

interface Props {
  params: Promise<{ token: string }>;
}

const ROLE_WORDS = {
  admin: "an admin: you may see and change everything",
  support: "support: you see knowledge, playground and usage",
};

export default async function InvitePage({ params }: Props) {
  const { token } = await params;
  const [invitation, account] = await Promise.all([readInvitation(token), currentAccount()]);
  if (!invitation) return <LinkIsOver hours="seven days" />;
  const { email, companyName, role, person } = invitation;
  const signedIn = account?.email === email;
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
      {signedIn && <JoinButton token={token} companyName={companyName} />}
      {!signedIn && person === "new" && <AcceptForm token={token} email={email} />}
      {!signedIn && person === "password" && <JoinForm token={token} email={email} />}
      {!signedIn && person === "elsewhere" && (
        <Button asChild className="w-fit">
          <Link href={`/sign-in?next=${encodeURIComponent(`/invite/${token}`)}`}>Sign in to join</Link>
        </Button>
      )}
    </AuthFrame>
  );
}
