"use client";

import { useTheme } from "next-themes";
import { Toaster as Sonner } from "sonner";

/** One for the whole application. A toast repeats what the page says, or says what it need not say for long. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      visibleToasts={1}
      closeButton
      toastOptions={{
        classNames: {
          toast: "!rounded-md !border-border !bg-raised !text-foreground !shadow-lg !font-sans !text-base",
          description: "!text-muted",
          closeButton: "!border-border !bg-raised !text-muted",
        },
      }}
    />
  );
}
