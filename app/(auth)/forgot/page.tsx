import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { isMailConfigured } from "@/lib/mail.ts";
import { ForgotForm } from "./forgot-form.tsx";

export const metadata: Metadata = { title: "Forgot your password" };

export default function ForgotPage() {
  const mail = isMailConfigured();
  return (
    <AuthFrame
      title="Forgot your password?"
      description={
        mail
          ? "We will email you a link to choose a new password. The link works for 1 hour."
          : "This server does not send email. Ask an admin of your company for a reset link (Settings › Members)."
      }
    >
      {mail && <ForgotForm />}
      <Link href="/sign-in" className="w-fit text-accent underline-offset-4 hover:underline">
        Back to sign-in
      </Link>
    </AuthFrame>
  );
}
