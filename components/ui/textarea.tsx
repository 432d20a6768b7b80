"use client";

import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { CONTROL_STYLE } from "@/components/ui/input.tsx";
import { useEarlyText } from "@/components/use-early-text.ts";

/** Grows with its content in browsers that support it. */
export function Textarea({ ref, className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      ref={useEarlyText(ref, props.value)}
      className={cn(CONTROL_STYLE, "field-sizing-content min-h-20 px-3 py-2 read-only:bg-subtle", className)}
      {...props}
    />
  );
}
