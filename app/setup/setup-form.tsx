"use client";

import { ErrorMessage } from "@/components/error-message.tsx";
import { NewPasswordField } from "@/components/new-password-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { setupAction } from "./actions.ts";

export function SetupForm({ code }: { code: string }) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ setupInput }) => setupInput),
    setupAction,
    {
      defaultValues: { code, companyName: "", name: "", email: "", password: "" },
    },
  );
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Set-up code" error={errorOf("code")} required>
        {(control) => (
          <Input
            {...control}
            {...register("code")}
            className="font-mono"
            autoComplete="off"
            autoFocus={!code}
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Company" error={errorOf("companyName")} required>
        {(control) => (
          <Input {...control} {...register("companyName")} autoComplete="organization" autoFocus={Boolean(code)} />
        )}
      </Field>
      <Field label="Your name" error={errorOf("name")} required>
        {(control) => <Input {...control} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label="Email" error={errorOf("email")} required>
        {(control) => <Input {...control} {...register("email")} type="email" autoComplete="username" />}
      </Field>
      <NewPasswordField label="Password" error={errorOf("password")} field={register("password")} />
      <Button type="submit" className="mt-1" pending={pending}>
        Create company and sign in
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}
