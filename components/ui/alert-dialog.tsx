"use client";

import * as Primitive from "radix-ui/alert-dialog";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { OVERLAY_STYLE, PANEL_STYLE } from "@/components/ui/dialog.tsx";
import { Opener, useReturnFocus } from "@/components/ui/return-focus.tsx";

export const AlertDialog = Primitive.Root;
export const AlertDialogCancel = Primitive.Cancel;
export const AlertDialogTitle = Primitive.Title;
export const AlertDialogDescription = Primitive.Description;

/** A question that must be answered: a click outside does not close it, and Cancel has the focus at first. */
export function AlertDialogContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  const { opener, onCloseAutoFocus } = useReturnFocus();
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={OVERLAY_STYLE} />
      <Primitive.Content
        className={cn(PANEL_STYLE, "max-w-md", className)}
        onCloseAutoFocus={onCloseAutoFocus}
        {...props}
      >
        <Opener of={opener} />
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}
