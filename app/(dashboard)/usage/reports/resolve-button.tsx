"use client";

import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { reopenReportAction, resolveReportAction } from "../actions.ts";

/** Resolves an open report, or reopens a resolved one. */
export function ResolveButton({ id, isResolved }: { id: string; isResolved: boolean }) {
  const resolve = useAction(resolveReportAction, { success: "Report resolved", toastError: true });
  const reopen = useAction(reopenReportAction, { success: "Report reopened", toastError: true });
  const { run, pending } = isResolved ? reopen : resolve;
  return (
    <Button variant="secondary" size="sm" pending={pending} onClick={() => void run({ id })}>
      {isResolved ? "Reopen" : "Resolve"}
    </Button>
  );
}
