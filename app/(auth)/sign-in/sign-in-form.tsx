"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { loadingError, resolverOf } from "@/components/use-action-form.ts";

const REFUSED = "Wrong email or password. After several failed attempts, sign-in is paused for a few minutes.";
const REFUSALS = {
  AccessDenied: "No account has that email. Ask an admin of your company to invite you.",
  EmailNotVerified:
    "Your identity provider did not confirm your email address. Ask its administrator to send email_verified.",
  OtherIdentity:
    "Your email is linked to another person at your identity provider. Ask the operator of this server to run: ragstone user password",
  failed: "Single sign-on failed. Try again. If it keeps failing, the server's log has the reason.",
};
export type Refusal = keyof typeof REFUSALS;
const UNREACHABLE = "The server did not respond. Check your connection and try again.";

interface SignInFormProps {
  /** Where to go after sign-in: a path of this site. */
  next: string;
  /** Whether single sign-on is configured. */
  oidc: boolean;
  /** Why single sign-on failed; null if it did not. */
  refusal: Refusal | null;
}

export function SignInForm({ next, oidc, refusal }: SignInFormProps) {
  const router = useRouter();
  const [error, setError] = useState(refusal && REFUSALS[refusal]);
  const [entering, setEntering] = useState(false);
  const { register, handleSubmit, formState } = useForm<{ email: string; password: string }>({
    resolver: resolverOf(() => import("@/lib/members/schema.ts").then(({ signInInput }) => signInInput)),
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    setError(null);
    try {
      const result = await signIn("credentials", { ...values, redirect: false });
      // other errors, such as the rate limit, have a message of their own
      if (!result?.ok) return setError(result?.status === 401 ? REFUSED : (result?.error ?? UNREACHABLE));
      setEntering(true);
      router.replace(next);
      router.refresh();
    } catch {
      // the server did not respond
      setError(UNREACHABLE);
    }
  });

  return (
    <div className="grid gap-5">
      <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
        <Field label="Email" error={errors.email && "Enter your email address"}>
          {(control) => (
            <Input
              {...control}
              {...register("email")}
              type="email"
              autoComplete="username"
              autoFocus
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label="Password"
          error={errors.password && "Enter your password"}
          aside={
            <Link href="/forgot" className="text-accent underline-offset-4 hover:underline">
              Forgot your password?
            </Link>
          }
        >
          {(control) => (
            <Input {...control} {...register("password")} type="password" autoComplete="current-password" />
          )}
        </Field>
        <Button type="submit" className="mt-1 w-full" pending={isSubmitting || entering}>
          Sign in
        </Button>
        <ErrorMessage>{loadingError(errors) ?? error}</ErrorMessage>
      </form>
      {oidc && (
        <>
          <div className="flex items-center gap-3 text-muted text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
            or
          </div>
          <Button variant="secondary" className="w-full" onClick={() => void signIn("oidc", { callbackUrl: next })}>
            Continue with single sign-on
          </Button>
        </>
      )}
    </div>
  );
}
