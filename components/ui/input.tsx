"use client";

import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { useEarlyText } from "@/components/use-early-text.ts";

export const CONTROL_STYLE =
  "w-full rounded-md border border-border-strong bg-surface text-base text-foreground shadow-xs transition-colors placeholder:text-muted hover:border-muted focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1 off:cursor-not-allowed off:bg-subtle off:text-muted aria-invalid:border-danger";

export function Input({ ref, className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      ref={useEarlyText(ref, props.value)}
      type={type}
      className={cn(CONTROL_STYLE, "h-9 px-3 read-only:bg-subtle max-sm:h-11", className)}
      {...props}
    />
  );
}
