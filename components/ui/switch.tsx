"use client";

import * as Primitive from "radix-ui/switch";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

export function Switch({ className, disabled, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "inline-flex h-5.5 w-9.5 shrink-0 items-center rounded-full border border-border-strong bg-subtle p-0.5 transition-colors off:cursor-not-allowed off:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent",
        className,
      )}
      {...props}
      {...useDisabledUntilHydrated(disabled)}
    >
      <Primitive.Thumb className="size-4 rounded-full bg-muted shadow-xs transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-accent-foreground" />
    </Primitive.Root>
  );
}
