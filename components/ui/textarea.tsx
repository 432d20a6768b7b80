import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { controlStyle } from "@/components/ui/input.tsx";

/** Grows with its content where the browser can. */
export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={cn(controlStyle, "field-sizing-content min-h-20 px-3 py-2 read-only:bg-subtle", className)}
      {...props}
    />
  );
}
