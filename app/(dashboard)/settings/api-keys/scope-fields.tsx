"use client";

import { ErrorMessage } from "@/components/error-message.tsx";
import { CheckboxField } from "@/components/ui/toggle-field.tsx";
import { SCOPE_WORDS } from "@/lib/api-keys/describe-scopes.ts";
import { KEY_SCOPES, type KeyScope } from "@/lib/db/column-values.ts";

interface ScopeFieldsProps {
  value: readonly KeyScope[];
  onChange: (scopes: KeyScope[]) => void;
  /** The scopes to choose from. */
  offered?: readonly KeyScope[];
  error: string | undefined;
}

/** What the key may do. */
export function ScopeFields({ value, onChange, offered = KEY_SCOPES, error }: ScopeFieldsProps) {
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 font-medium text-sm">Permissions</legend>
      {offered.map((scope) => {
        const contained = scope === "ingest" && value.includes("manage");
        return (
          <CheckboxField
            key={scope}
            label={SCOPE_WORDS[scope].name}
            hint={SCOPE_WORDS[scope].hint}
            checked={contained || value.includes(scope)}
            disabled={contained}
            onCheckedChange={(on) => onChange(on ? [...value, scope] : value.filter((other) => other !== scope))}
          />
        );
      })}
      {error && <ErrorMessage>{error}</ErrorMessage>}
    </fieldset>
  );
}
