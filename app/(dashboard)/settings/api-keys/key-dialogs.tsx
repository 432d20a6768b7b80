"use client";

import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { DialogForm } from "@/components/dialog-form.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useAction } from "@/components/use-action.ts";
import { useActionForm } from "@/components/use-action-form.ts";
import { renameKeyInput } from "@/lib/api-keys/schema.ts";
import { renameKeyAction, revokeKeyAction } from "./actions.ts";
import { type KeySummary, usedInLastDay } from "./key-row.ts";
import { RotateDialog } from "./rotate-dialog.tsx";

export type KeyChange = "rename" | "rotate" | "revoke";

interface KeyDialogProps {
  change: KeyChange;
  apiKey: KeySummary;
  publicUrl: string;
  onClose: () => void;
}

export function KeyDialog({ change, apiKey, publicUrl, onClose }: KeyDialogProps) {
  if (change === "rename") return <RenameDialog apiKey={apiKey} onClose={onClose} />;
  if (change === "rotate") return <RotateDialog apiKey={apiKey} publicUrl={publicUrl} onClose={onClose} />;
  return <RevokeDialog apiKey={apiKey} onClose={onClose} />;
}

type DialogProps = Pick<KeyDialogProps, "apiKey" | "onClose">;

function RenameDialog({ apiKey, onClose }: DialogProps) {
  const { register, submit, pending, error, errorOf } = useActionForm(renameKeyInput, renameKeyAction, {
    defaultValues: { id: apiKey.id, name: apiKey.name },
    onSuccess: onClose,
    success: "Key renamed",
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={`Rename “${apiKey.name}”`} description={`${apiKey.maskedToken} itself does not change.`}>
        <DialogForm onSubmit={submit} confirm="Rename" pending={pending} error={error}>
          <Field label="Name" error={errorOf("name")} required>
            {(control) => <Input {...control} {...register("name")} autoComplete="off" autoFocus />}
          </Field>
        </DialogForm>
      </DialogContent>
    </Dialog>
  );
}

/** If the key is in use, its name must be typed to confirm. */
function RevokeDialog({ apiKey, onClose }: DialogProps) {
  const { run, pending, error } = useAction(revokeKeyAction, { onSuccess: onClose, success: "Key revoked" });
  const inUse = usedInLastDay(apiKey);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Revoke “${apiKey.name}”?`}
      description={
        <>
          <p>
            The API will refuse requests with <code className="font-mono">{apiKey.maskedToken}</code> (401), starting
            now. This cannot be undone. The key stays in the list.
          </p>
          <p>
            {apiKey.lastUsedAt ? (
              <>
                It was last used <RelativeTime date={apiKey.lastUsedAt} />
                {inUse ? ", so a system probably still uses it." : "."}
              </>
            ) : (
              "This key was never used."
            )}
          </p>
        </>
      }
      confirm="Revoke key"
      typed={inUse ? apiKey.name : undefined}
      pending={pending}
      error={error}
      onConfirm={() => void run({ id: apiKey.id })}
    />
  );
}
