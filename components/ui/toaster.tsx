"use client";

import { useTheme } from "next-themes";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { takeNotices } from "@/components/notify.ts";

/** Shows the queued notices. @param revision changes when there are new notices */
export function Toaster({ revision }: { revision: number }) {
  const { resolvedTheme } = useTheme();
  useEffect(() => {
    if (revision === 0) return;
    for (const { kind, text, durationMs, ...options } of takeNotices()) {
      toast[kind](text, { ...options, ...(durationMs && { duration: durationMs }) });
    }
  }, [revision]);
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      visibleToasts={1}
      closeButton
      toastOptions={{
        classNames: {
          toast: "rounded-md! border-border! bg-raised! text-foreground! shadow-lg! font-sans! text-base!",
          description: "text-muted!",
          closeButton: "border-border! bg-raised! text-muted!",
          actionButton: "bg-primary! text-primary-foreground! h-7! px-2.5!",
        },
      }}
    />
  );
}
