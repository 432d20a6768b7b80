import type { Metadata } from "next";
import Link from "next/link";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { mailIsSet } from "@/lib/mail.ts";
import { ForgotForm } from "./forgot-form.tsx";

export const metadata: Metadata = { title: "Forgot your password" };

export default function ForgotPage() {
  const mail = mailIsSet();
  return (
    <AuthFrame
      title="Forgot your password?"
      description={
        mail
          ? "We mail you a link to choose a new one. It holds for an hour."
          : "This server sends no mail. Ask an admin of your company for a reset link: they find it under Settings, Members."
      }
    >
      {mail && <ForgotForm />}
      <Link href="/sign-in" className="w-fit text-accent underline-offset-4 hover:underline">
        Back to the sign-in
      </Link>
    </AuthFrame>
  );
}
