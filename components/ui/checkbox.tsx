"use client";

import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import * as Primitive from "radix-ui/checkbox";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

export function Checkbox({ className, disabled, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        "peer group size-4.5 align-middle shrink-0 rounded-[5px] border border-border-strong bg-surface shadow-xs transition-colors hover:border-muted off:cursor-not-allowed off:opacity-50 aria-invalid:border-danger data-[state=checked]:border-accent data-[state=indeterminate]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:bg-accent",
        className,
      )}
      {...props}
      {...useDisabledUntilHydrated(disabled)}
    >
      <Primitive.Indicator className="grid place-items-center text-accent-foreground [&_svg]:size-3.5 [&_svg]:stroke-3">
        <Check className="group-data-[state=indeterminate]:hidden" aria-hidden />
        <Minus className="hidden group-data-[state=indeterminate]:block" aria-hidden />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
