"use client";

import { resetAction } from "@/app/(auth)/actions.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { NewPasswordField } from "@/components/new-password-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useActionForm } from "@/components/use-action-form.ts";

export function ResetForm({ token, email }: { token: string; email: string }) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ resetInput }) => resetInput),
    resetAction,
    {
      defaultValues: { token, password: "" },
    },
  );
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      {/* tells password managers which account the password belongs to */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="New password" error={errorOf("password")} field={register("password")} autoFocus />
      <Button type="submit" pending={pending}>
        Save and sign in
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}
