"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { ToastHost } from "@/components/toast-host.tsx";

// with this type, React in the browser does not warn about a script that it does not run
const SCRIPT = { type: typeof window === "undefined" ? "text/javascript" : "text/plain" };

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      disableTransitionOnChange
      nonce={nonce}
      scriptProps={SCRIPT}
    >
      <NuqsAdapter>{children}</NuqsAdapter>
      <ToastHost />
    </ThemeProvider>
  );
}
