import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { setupIsOpen } from "@/lib/members/setup.ts";
import { loadSetupParams } from "./search-params.ts";
import { SetupForm } from "./setup-form.tsx";

export const metadata: Metadata = { title: "Set up" };

interface Props {
  searchParams: Promise<SearchParams>;
}

export default async function SetupPage({ searchParams }: Props) {
  if (!(await setupIsOpen())) redirect("/sign-in");
  const { code } = await loadSetupParams(searchParams);
  return (
    <AuthFrame
      title="Set up Ragstone"
      description="Create your company and its first admin. The set-up code is in the terminal where the server was started."
    >
      <SetupForm code={code} />
    </AuthFrame>
  );
}
