"use client";

import X from "lucide-react/icons/x";
import * as Dialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";
import { buttonStyle } from "@/components/ui/button.tsx";
import { OVERLAY_STYLE } from "@/components/ui/dialog.tsx";

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Slides in from the left, over the page. */
export function Drawer({ open, onClose, children }: DrawerProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={OVERLAY_STYLE} />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] animate-drawer flex-col border-border border-r bg-background shadow-lg outline-none"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          {children}
          <Dialog.Close
            className={cn(buttonStyle({ variant: "ghost", size: "icon" }), "absolute top-2 right-2")}
            aria-label="Close the menu"
          >
            <X aria-hidden />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
