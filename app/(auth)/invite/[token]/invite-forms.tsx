"use client";

import { acceptAction, joinAction, joinSignedInAction } from "@/app/(auth)/actions.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { NewPasswordField } from "@/components/new-password-field.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useAction } from "@/components/use-action.ts";
import { useActionForm } from "@/components/use-action-form.ts";

interface FormProps {
  token: string;
  email: string;
}

/** For someone new. */
export function AcceptForm({ token, email }: FormProps) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ acceptInput }) => acceptInput),
    acceptAction,
    {
      defaultValues: { token, name: "", password: "" },
    },
  );
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Your name" error={errorOf("name")} required>
        {(control) => <Input {...control} {...register("name")} autoComplete="name" autoFocus />}
      </Field>
      {/* so that a password manager knows whose it is */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="Password" error={errorOf("password")} field={register("password")} />
      <Button type="submit" pending={pending}>
        Accept the invitation
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}

/** For someone who has an account already. */
export function JoinForm({ token, email }: FormProps) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ joinInput }) => joinInput),
    joinAction,
    {
      defaultValues: { token, password: "" },
    },
  );
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="Your password"
        hint="You have an account already: sign in with it to join."
        error={errorOf("password")}
        required
      >
        {(control) => (
          <Input {...control} {...register("password")} type="password" autoComplete="current-password" autoFocus />
        )}
      </Field>
      <Button type="submit" pending={pending}>
        Sign in and join
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}

/** For someone who is signed in as the person who was invited. */
export function JoinButton({ token, companyName }: { token: string; companyName: string }) {
  const { run, pending, error } = useAction(joinSignedInAction);
  return (
    <div className="grid gap-4">
      <Button pending={pending} onClick={() => void run({ token })}>
        Join {companyName}
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </div>
  );
}
