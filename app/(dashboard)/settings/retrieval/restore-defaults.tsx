"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { restoreDefaultSettingsAction } from "./actions.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

/** Outside the form of the settings, which would be submitted with the dialog's. */
export function RestoreDefaults() {
  const [asking, setAsking] = useState(false);
  const { run, pending, error } = useAction(restoreDefaultSettingsAction, { success: "Defaults restored" });
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking(true)}>
        Restore the defaults
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Restore the defaults?"
          description="Searches and answers work as in a new company, starting now. The audit log keeps the settings that you had."
          confirm="Restore the defaults"
          tone="primary"
          pending={pending}
          error={error}
          onConfirm={() => void run({})}
        />
      )}
    </>
  );
}
