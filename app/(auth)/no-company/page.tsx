import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { currentAccount } from "@/lib/auth/session.ts";
import { LeaveButton } from "./leave-button.tsx";

export const metadata: Metadata = { title: "No company" };

export default async function NoCompanyPage() {
  const account = await currentAccount();
  if (!account) redirect("/sign-in");
  if (account.companies.length > 0) redirect("/overview");
  return (
    <AuthFrame
      title="You are not a member of any company"
      description={`Your account, ${account.email}, still exists. Ask an admin of your company to invite you again.`}
    >
      <LeaveButton />
    </AuthFrame>
  );
}
