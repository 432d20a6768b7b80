"use client";

import Menu from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { usePathname } from "next/navigation";
import * as Dialog from "radix-ui/dialog";
import { type ReactNode, useState } from "react";
import { cn } from "@/components/cn.ts";
import { buttonStyle } from "@/components/ui/button.tsx";
import { overlayStyle } from "@/components/ui/dialog.tsx";

/** The sidebar as a drawer; it closes when the page has changed. */
export function MobileNav({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  return (
    <Dialog.Root open={openedAt === pathname} onOpenChange={(open) => setOpenedAt(open ? pathname : null)}>
      <Dialog.Trigger className={buttonStyle({ variant: "ghost", size: "icon" })} aria-label="Open the menu">
        <Menu aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className={overlayStyle} />
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
