"use client";

import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useRouter } from "next/navigation";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { restoreVersionAction } from "../../../actions.ts";

/** Makes the content of a version the newest again. The version that it replaces can be restored in turn. */
export function RestoreVersion({ id, number }: { id: string; number: number }) {
  const router = useRouter();
  const { run, pending } = useAction(restoreVersionAction, {
    success: `Version ${number} restored as a new version`,
    toastError: true,
    onSuccess: () => router.push(`/knowledge/${id}`),
  });
  return (
    <Button pending={pending} onClick={() => void run({ id, number })}>
      <RotateCcw aria-hidden />
      Restore this version
    </Button>
  );
}
