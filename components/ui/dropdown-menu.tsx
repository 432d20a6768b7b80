"use client";

import * as Primitive from "radix-ui/dropdown-menu";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { ITEM_STYLE, SURFACE_STYLE } from "@/components/ui/surface.ts";

export const DropdownMenuTrigger = Primitive.Trigger;

/** Not modal, so that screen readers can still read the page, and a click outside reaches its target. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={4}
        collisionPadding={8}
        className={cn(SURFACE_STYLE, "min-w-44", className)}
        {...props}
      />
    </Primitive.Portal>
  );
}

interface DropdownMenuItemProps extends ComponentProps<typeof Primitive.Item> {
  destructive?: boolean;
}

export function DropdownMenuItem({ className, destructive, ...props }: DropdownMenuItemProps) {
  return (
    <Primitive.Item
      className={cn(ITEM_STYLE, destructive && "text-danger data-highlighted:bg-danger-soft", className)}
      {...props}
    />
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cn("px-2 py-1.5 text-muted text-xs", className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof Primitive.Separator>) {
  return <Primitive.Separator className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />;
}
