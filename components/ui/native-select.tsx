"use client";

import ChevronDown from "lucide-react/icons/chevron-down";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { CONTROL_STYLE } from "@/components/ui/input.tsx";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

/** The browser's own select: it needs no code, and works best on phones. */
export function NativeSelect({ className, disabled, ...props }: ComponentProps<"select">) {
  return (
    <span className={cn("relative block", className)}>
      <select
        className={cn(CONTROL_STYLE, "h-9 appearance-none truncate pr-9 pl-3 max-sm:h-11")}
        {...props}
        {...useDisabledUntilHydrated(disabled)}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
