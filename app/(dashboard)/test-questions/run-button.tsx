"use client";

import Play from "lucide-react/icons/play";
import { Button } from "@/components/ui/button.tsx";
import { useAction } from "@/components/use-action.ts";
import { useRefresh } from "../knowledge/while-processing.tsx";
import { startTestRunAction } from "./actions.ts";

/** Starts a run, and refreshes the page until it ends. */
export function RunButton({ current }: { current: { total: number; done: number } | null }) {
  const { run, pending } = useAction(startTestRunAction, { toastError: true });
  useRefresh(current !== null);
  return (
    <Button variant="secondary" pending={pending || current !== null} onClick={() => void run({})}>
      <Play aria-hidden />
      <span aria-live="polite">{current ? `${current.done} of ${current.total} done` : "Run now"}</span>
    </Button>
  );
}
