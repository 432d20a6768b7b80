"use client";

import { focusPageTitle } from "@/components/focus-page-title.ts";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { reopenReportAction, resolveReportAction } from "../actions.ts";

interface ResolveButtonProps {
  id: string;
  isResolved: boolean;
  /** Whether the report leaves the page with its button. */
  leavesPage?: boolean;
}

/** Resolves an open report, or reopens a resolved one. */
export function ResolveButton({ id, isResolved, leavesPage = false }: ResolveButtonProps) {
  const options = { toastError: true, ...(leavesPage && { onSuccess: focusPageTitle }) };
  const resolve = useAction(resolveReportAction, { ...options, success: "Report resolved" });
  const reopen = useAction(reopenReportAction, { ...options, success: "Report reopened" });
  const { run, pending } = isResolved ? reopen : resolve;
  return (
    <Button variant="secondary" size="sm" pending={pending} onClick={() => void run({ id })}>
      {isResolved ? "Reopen" : "Resolve"}
    </Button>
  );
}
