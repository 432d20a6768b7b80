"use client";

import { useState } from "react";
import { NewPasswordField } from "@/components/new-password-field.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { SettingsForm } from "../settings-form.tsx";
import { changePasswordAction, renamePersonAction } from "./actions.ts";

export function PersonForm({ name, email }: { name: string; email: string }) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ profileInput }) => profileInput),
    renamePersonAction,
    {
      defaultValues: { name },
      success: "Name saved",
    },
  );
  return (
    <SettingsForm
      title="About you"
      description="Others see your name next to your changes."
      onSubmit={submit}
      pending={pending}
      error={error}
      note={<span className="min-w-0 break-all">You sign in as {email}</span>}
    >
      <Field label="Name" error={errorOf("name")} required>
        {(control) => <Input {...control} {...register("name")} autoComplete="name" />}
      </Field>
    </SettingsForm>
  );
}

export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const { form, register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ changePasswordInput }) => changePasswordInput),
    changePasswordAction,
    {
      defaultValues: { current: "", password: "" },
      success: "Password changed",
      onSuccess: () => form.reset({ current: "", password: "" }),
    },
  );
  const refusal = errorOf("current");
  const [wasRefused, setWasRefused] = useState(false);
  // a password was set since the page was loaded
  if (refusal && !wasRefused) setWasRefused(true);
  return (
    <SettingsForm
      title="Password"
      description="Changing it signs you out of every other browser."
      onSubmit={submit}
      pending={pending}
      error={error}
      confirm="Change password"
    >
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {(hasPassword || wasRefused) && (
        <Field label="Current password" error={refusal} required>
          {(control) => <Input {...control} {...register("current")} type="password" autoComplete="current-password" />}
        </Field>
      )}
      <NewPasswordField label="New password" error={errorOf("password")} field={register("password")} />
    </SettingsForm>
  );
}
