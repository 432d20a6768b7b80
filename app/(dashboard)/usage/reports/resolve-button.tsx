"use client";

import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { resolveReportAction } from "../actions.ts";

export function ResolveButton({ id }: { id: string }) {
  const { run, pending, error } = useAction(resolveReportAction, { success: "Report resolved", toastError: true });
  return (
    <>
      {error && <span className="text-danger">{error}</span>}
      <Button variant="secondary" size="sm" pending={pending} onClick={() => void run({ id })}>
        Resolve
      </Button>
    </>
  );
}
