"use client";

import { useState } from "react";
import { forgotAction } from "@/app/(auth)/actions.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { takeFocus } from "@/components/take-focus.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";

export function ForgotForm() {
  const [sent, setSent] = useState<string | null>(null);
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ forgotInput }) => forgotInput),
    forgotAction,
    {
      defaultValues: { email: "" },
      onSuccess: (_, { email }) => setSent(email),
    },
  );
  if (sent) {
    return (
      <p
        role="status"
        ref={takeFocus}
        tabIndex={-1}
        className="rounded-md bg-success-soft px-3 py-2 text-success outline-none"
      >
        If {sent} has an account, we have sent the link. Check your spam folder too.
      </p>
    );
  }
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Email" error={errorOf("email")} required>
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="username" autoFocus />}
      </Field>
      <Button type="submit" pending={pending}>
        Send the link
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}
