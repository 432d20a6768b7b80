"use client";

import RotateCw from "lucide-react/icons/rotate-cw";
import { useRouter } from "next/navigation";
import { Button, type ButtonVariants } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { askAgainAction } from "../../actions.ts";

interface AskAgainProps extends Pick<ButtonVariants, "size"> {
  /** The request to repeat. */
  id: string;
}

/** Asks the question of a request again, then shows both requests side by side. */
export function AskAgain({ id, size }: AskAgainProps) {
  const router = useRouter();
  const { run, pending } = useAction(askAgainAction, {
    toastError: true,
    onSuccess: (after) => router.push(`/usage/requests/${id}/compare/${after}`),
  });
  return (
    <Button variant="secondary" size={size} pending={pending} onClick={() => void run({ id })}>
      <RotateCw aria-hidden />
      Ask again
    </Button>
  );
}
