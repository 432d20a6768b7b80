"use client";

import { acceptAction, joinAction, joinSignedInAction, joinWithNewPasswordAction } from "@/app/(auth)/actions.ts";
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

/** For a person who has no account yet. */
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
      {/* tells password managers which account the password belongs to */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label="Password" error={errorOf("password")} field={register("password")} />
      <Button type="submit" pending={pending}>
        Accept invitation
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}

/** For a person who already has an account. */
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
        hint="You already have an account. Sign in to join."
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

interface RejoinFormProps extends FormProps {
  /** Whether the account's current password is required too. */
  asksCurrent: boolean;
}

/** For a person whose password was set through a link that an admin could have used. */
export function RejoinForm({ token, email, asksCurrent }: RejoinFormProps) {
  const { register, submit, pending, error, errorOf } = useActionForm(
    () => import("@/lib/members/schema.ts").then(({ rejoinInput }) => rejoinInput),
    joinWithNewPasswordAction,
    {
      defaultValues: { token, password: "", ...(asksCurrent && { current: "" }) },
    },
  );
  return (
    <form method="post" onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted">
        You already have an account here. To join another company, choose a new password that only you know. This signs
        you out of every other browser.
      </p>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {asksCurrent && (
        <Field
          label="Current password"
          hint="If you don't know it, ask the operator of this server for a new one."
          error={errorOf("current")}
          required
        >
          {(control) => (
            <Input {...control} {...register("current")} type="password" autoComplete="current-password" autoFocus />
          )}
        </Field>
      )}
      <NewPasswordField
        label="New password"
        error={errorOf("password")}
        field={register("password")}
        autoFocus={!asksCurrent}
      />
      <Button type="submit" pending={pending}>
        Save and join
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </form>
  );
}

/** For a person who is signed in with the invited account. */
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
