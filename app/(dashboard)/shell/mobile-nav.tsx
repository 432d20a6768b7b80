"use client";

import Menu from "lucide-react/icons/menu";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const Drawer = lazyComponent(() => import("@/app/(dashboard)/shell/drawer.tsx").then((module) => module.Drawer));

/** The sidebar as a drawer, which closes when the path changes. */
export function MobileNav({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const open = openedAt === pathname;
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open the menu"
        aria-expanded={open}
        onClick={() => setOpenedAt(pathname)}
      >
        <Menu aria-hidden />
      </Button>
      {openedAt !== null && (
        <Drawer open={open} onClose={() => setOpenedAt(null)}>
          {children}
        </Drawer>
      )}
    </>
  );
}
