"use client";

import { focusPageTitle } from "@/components/focus-page-title.ts";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { withdrawSuggestionAction } from "./actions.ts";

/** For the member who made the suggestion. */
export function WithdrawButton({ id }: { id: string }) {
  const { run, pending } = useAction(withdrawSuggestionAction, {
    success: "Suggestion withdrawn",
    toastError: true,
    onSuccess: focusPageTitle,
  });
  return (
    <Button variant="secondary" size="sm" pending={pending} onClick={() => void run({ id })}>
      Withdraw suggestion
    </Button>
  );
}
