"use client";

import { leaveAction } from "@/app/(auth)/actions.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";

export function LeaveButton() {
  const { run, pending, error } = useAction(leaveAction);
  return (
    <div className="grid gap-4">
      <Button variant="secondary" className="w-fit" pending={pending} onClick={() => void run({})}>
        Sign out
      </Button>
      <ErrorMessage>{error}</ErrorMessage>
    </div>
  );
}
