import { Controller, useFormContext } from "react-hook-form";
import type { CreateKeyInput } from "@/lib/api-keys/schema.ts";
import type { ApiKey } from "@/lib/api-keys/service.ts";
import { allowsScope } from "@/lib/audit/key-scopes.ts";
import { KEY_SCOPES } from "@/lib/db/column-values.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { ExpiryField } from "./expiry-field.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import { RateLimitField } from "./rate-limit-field.tsx";
import { ScopeFields } from "./scope-fields.tsx";

type AccessInput = Omit<CreateKeyInput, "name">;
type PolicyPart = keyof NonNullable<AccessInput["policy"]>;

interface AccessFieldsProps {
  /** The key, if it exists: the fields then offer only less access than it has. */
  current?: ApiKey;
  labels: Labels;
  errorOf: (name: keyof AccessInput | `policy.${PolicyPart}`) => string | undefined;
}

/** What a key may do and until when, for the form of the nearest `FormProvider`. */
export function AccessFields({ current, labels, errorOf }: AccessFieldsProps) {
  const { control } = useFormContext<AccessInput>();
  const offered = KEY_SCOPES.filter((scope) => !current || allowsScope(current.scopes, scope));
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Controller
          control={control}
          name="expiresAt"
          render={({ field }) => (
            <ExpiryField current={current?.expiresAt} onChange={field.onChange} error={errorOf("expiresAt")} />
          )}
        />
        <RateLimitField
          hint={current ? "Leave empty to keep the limit." : "Leave empty to use the server's default."}
          error={errorOf("rateLimitPerMinute")}
        />
      </div>
      {offered.length > 1 && (
        <Controller
          control={control}
          name="scopes"
          render={({ field }) => (
            <ScopeFields
              value={field.value ?? []}
              onChange={field.onChange}
              offered={offered}
              error={errorOf("scopes")}
            />
          )}
        />
      )}
      <Controller
        control={control}
        name="policy"
        render={({ field }) => (
          <PolicyFields
            value={field.value ?? {}}
            onChange={field.onChange}
            labels={labels}
            errorOf={(part) => errorOf(`policy.${part}`)}
            restricted={Object.keys(current?.policy ?? {}).length > 0}
          />
        )}
      />
    </>
  );
}
