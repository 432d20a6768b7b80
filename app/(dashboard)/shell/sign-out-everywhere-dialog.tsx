"use client";

import { signOutEverywhereAction } from "@/app/(dashboard)/actions.ts";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { useAction } from "@/components/use-action.ts";

export function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const { run, pending, error } = useAction(signOutEverywhereAction);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Sign out everywhere?"
      description="You will be signed out of every browser, including this one."
      confirm="Sign out everywhere"
      tone="primary"
      pending={pending}
      error={error}
      onConfirm={() => void run({})}
    />
  );
}
