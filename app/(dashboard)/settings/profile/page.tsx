import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { ThemeToggle } from "@/components/theme-toggle.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { PasswordForm, PersonForm } from "./profile-forms.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

export const metadata: Metadata = { title: "Profile" };

export default async function ProfilePage() {
  const { name, email, hasPassword } = await requireMember();
  return (
    <>
      <PageHeader title="Profile" description="Your account, in every company you belong to." />
      <PersonForm name={name} email={email} />
      <PasswordForm email={email} hasPassword={hasPassword} />
      <Card>
        <CardHeader title="Theme" description="For this browser." actions={<ThemeToggle />} />
        <CardBody className="pt-0" />
      </Card>
      <Card>
        <CardHeader
          title="Sessions"
          description="Lost a laptop, or signed in on someone else's? Sign out of every session, including this one."
          actions={<SignOutEverywhere />}
        />
        <CardBody className="pt-0" />
      </Card>
    </>
  );
}
