"use client";

import * as Primitive from "radix-ui/radio-group";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "@/components/cn.ts";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

export function RadioGroup({ className, disabled, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn("grid gap-2", className)} {...props} {...useDisabledUntilHydrated(disabled)} />;
}

interface RadioCardProps extends Omit<ComponentProps<typeof Primitive.Item>, "children"> {
  label: ReactNode;
  description?: ReactNode;
}

/** A radio button with a label and a description. The whole card is clickable. */
export function RadioCard({ label, description, className, ...props }: RadioCardProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cn(
        "flex cursor-pointer gap-3 rounded-md border border-border p-3 transition-colors hover:bg-hover has-data-[state=checked]:border-accent has-data-[state=checked]:bg-accent-soft",
        className,
      )}
    >
      <Primitive.Item
        id={id}
        aria-describedby={description ? `${id}-description` : undefined}
        className="mt-0.5 size-4.5 shrink-0 rounded-full border border-border-strong bg-surface data-[state=checked]:border-accent"
        {...props}
      >
        <Primitive.Indicator className="grid place-items-center after:size-2.5 after:rounded-full after:bg-accent" />
      </Primitive.Item>
      <span className="grid content-start gap-0.5">
        <span className="font-medium">{label}</span>
        {description && (
          <span id={`${id}-description`} className="text-muted text-sm">
            {description}
          </span>
        )}
      </span>
    </label>
  );
}
