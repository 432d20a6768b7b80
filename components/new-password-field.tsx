"use client";

import Eye from "lucide-react/icons/eye";
import EyeOff from "lucide-react/icons/eye-off";
import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { PASSWORD_LENGTH_MIN } from "@/lib/members/limits.ts";

interface NewPasswordFieldProps {
  label: string;
  error: string | undefined;
  field: UseFormRegisterReturn;
  autoFocus?: boolean;
}

/** A new password. It can be shown, so nobody has to type it twice. */
export function NewPasswordField({ label, error, field, autoFocus }: NewPasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      label={label}
      error={error}
      hint={`At least ${PASSWORD_LENGTH_MIN} characters. Several words are easy to remember.`}
      required
    >
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            {...field}
            type={shown ? "text" : "password"}
            autoComplete="new-password"
            spellCheck={false}
            autoFocus={autoFocus}
            className="pr-11"
          />
          <Button
            variant="ghost"
            size="icon-sm"
            className="absolute top-1/2 right-0.5 -translate-y-1/2"
            aria-pressed={shown}
            aria-label="Show the password"
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden />
          </Button>
        </div>
      )}
    </Field>
  );
}
