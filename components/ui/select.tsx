"use client";

import Check from "lucide-react/icons/check";
import ChevronDown from "lucide-react/icons/chevron-down";
import * as Primitive from "radix-ui/select";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { controlStyle } from "@/components/ui/input.tsx";
import { itemStyle, surfaceStyle } from "@/components/ui/surface.ts";

export const Select = Primitive.Root;
export const SelectGroup = Primitive.Group;

interface SelectTriggerProps extends ComponentProps<typeof Primitive.Trigger> {
  placeholder?: string;
}

export function SelectTrigger({ className, placeholder, ...props }: SelectTriggerProps) {
  return (
    <Primitive.Trigger
      className={cn(
        controlStyle,
        "flex h-9 items-center justify-between gap-2 px-3 text-left max-sm:h-11 data-placeholder:text-muted [&>span]:truncate",
        className,
      )}
      {...props}
    >
      <Primitive.Value placeholder={placeholder} />
      <Primitive.Icon asChild>
        <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
      </Primitive.Icon>
    </Primitive.Trigger>
  );
}

export function SelectContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        position="popper"
        sideOffset={4}
        className={cn(
          surfaceStyle,
          "max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)",
          className,
        )}
        {...props}
      >
        <Primitive.Viewport>{children}</Primitive.Viewport>
      </Primitive.Content>
    </Primitive.Portal>
  );
}

interface SelectItemProps extends ComponentProps<typeof Primitive.Item> {
  /** A second line, in the list only. */
  description?: string;
}

export function SelectItem({ className, children, description, ...props }: SelectItemProps) {
  return (
    <Primitive.Item className={cn(itemStyle, "pr-8", className)} {...props}>
      <span className="grid">
        <Primitive.ItemText>{children}</Primitive.ItemText>
        {description && <span className="text-muted text-xs">{description}</span>}
      </span>
      <Primitive.ItemIndicator className="absolute right-2.5">
        <Check className="size-4" aria-hidden />
      </Primitive.ItemIndicator>
    </Primitive.Item>
  );
}

export function SelectLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cn("px-2 py-1.5 text-muted text-xs", className)} {...props} />;
}
