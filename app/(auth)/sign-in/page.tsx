import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { AuthFrame } from "@/components/auth-frame.tsx";
import { currentAccount } from "@/lib/auth/session.ts";
import { env } from "@/lib/env.ts";
import { localPath } from "@/lib/http/local-path.ts";
import { setupIsOpen } from "@/lib/members/setup.ts";
import { loadSignInParams } from "./search-params.ts";
import { type Refusal, SignInForm } from "./sign-in-form.tsx";

export const metadata: Metadata = { title: "Sign in" };

interface Props {
  searchParams: Promise<SearchParams>;
}

export default async function SignInPage({ searchParams }: Props) {
  const { next, error } = await loadSignInParams(searchParams);
  const target = localPath(next) ?? "/overview";
  if (await currentAccount()) redirect(target);
  if (await setupIsOpen()) redirect("/setup");
  return (
    <AuthFrame title="Sign in" description="Sign in to your company's knowledge base.">
      <SignInForm next={target} oidc={env().oidc !== null} refusal={refusalOf(error)} />
    </AuthFrame>
  );
}

/** Translates the error code that the sign-in library put in the URL. */
function refusalOf(error: string | null): Refusal | null {
  if (error === null) return null;
  return error === "AccessDenied" || error === "EmailNotVerified" || error === "OtherIdentity" ? error : "failed";
}
