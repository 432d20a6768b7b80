"use client";

import { Controller } from "react-hook-form";
import { DialogForm } from "@/components/dialog-form.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { useActionForm } from "@/components/use-action-form.ts";
import { restrictKeyInput } from "@/lib/api-keys/schema.ts";
import type { ApiKey } from "@/lib/api-keys/service.ts";
import { allowsScope } from "@/lib/audit/key-scopes.ts";
import { KEY_SCOPES } from "@/lib/db/column-values.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import { restrictKeyAction } from "./actions.ts";
import { ExpiryField } from "./expiry-field.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import { PER_MINUTE, RateLimitField } from "./rate-limit-field.tsx";
import { ScopeFields } from "./scope-fields.tsx";

interface RestrictDialogProps {
  apiKey: ApiKey;
  labels: Labels;
  onClose: () => void;
}

/** Takes access from a key. The service refuses what would add access, and says so at the field. */
export function RestrictDialog({ apiKey, labels, onClose }: RestrictDialogProps) {
  const { id, name, maskedToken, expiresAt, rateLimitPerMinute, scopes, policy } = apiKey;
  const { form, register, submit, pending, error, errorOf } = useActionForm(restrictKeyInput, restrictKeyAction, {
    defaultValues: { id, expiresAt, rateLimitPerMinute, scopes, policy },
    onSuccess: onClose,
    success: "Key restricted",
  });
  const offered = KEY_SCOPES.filter((scope) => allowsScope(scopes, scope));
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Restrict “${name}”`}
        description={`${maskedToken} can only lose access, from its next request on. For more access, create a new key.`}
        className="max-w-xl"
      >
        <DialogForm onSubmit={submit} confirm="Restrict key" pending={pending} error={error}>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <Controller
              control={form.control}
              name="expiresAt"
              render={({ field }) => (
                <ExpiryField current={expiresAt} onChange={field.onChange} error={errorOf("expiresAt")} />
              )}
            />
            <RateLimitField
              registered={register("rateLimitPerMinute", PER_MINUTE)}
              hint="Leave empty to keep the limit."
              error={errorOf("rateLimitPerMinute")}
            />
          </div>
          {offered.length > 1 && (
            <Controller
              control={form.control}
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
            control={form.control}
            name="policy"
            render={({ field }) => (
              <PolicyFields
                value={field.value ?? {}}
                onChange={field.onChange}
                labels={labels}
                errorOf={(part) => errorOf(`policy.${part}`)}
                restricted={Object.keys(policy).length > 0}
              />
            )}
          />
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}
