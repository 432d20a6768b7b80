import type { Metadata } from "next";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { isMailConfigured } from "@/lib/mail.ts";
import { readReset } from "@/lib/members/redeem.ts";
import { InvalidLink } from "../../invalid-link.tsx";
import { ResetForm } from "./reset-form.tsx";

export const metadata: Metadata = { title: "Choose a new password" };

interface Props {
  params: Promise<{ token: string }>;
}

export default async function ResetPage({ params }: Props) {
  const { token } = await params;
  const reset = await readReset(token);
  if (!reset) return <InvalidLink validFor="an hour" canRequest={isMailConfigured()} />;
  return (
    <AuthFrame
      title="Choose a new password"
      description={`For ${reset.email}. You will be signed out everywhere else.`}
    >
      <ResetForm token={token} email={reset.email} />
    </AuthFrame>
  );
}
