"use client";

import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { MenuEntry } from "@/components/menu.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";

interface MenuButtonProps extends Omit<ComponentProps<"button">, "type"> {
  entries: MenuEntry[];
  align?: "start" | "end";
  side?: "top" | "bottom";
  /** Class of the menu. */
  menuClassName?: string;
}

const load = () => import("@/components/menu.tsx");
const Menu = lazy(() => load().then((module) => ({ default: module.Menu })));

/** A button that opens a menu. The menu's code loads on hover or focus, so that no page has to wait for it. */
export function MenuButton({ entries, align, side, menuClassName, ...button }: MenuButtonProps) {
  const [openedBy, setOpenedBy] = useState<"pointer" | "keyboard" | null>(null);
  const closed = (
    <PlainButton
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={({ detail }) => setOpenedBy(detail === 0 ? "keyboard" : "pointer")}
    />
  );
  if (!openedBy) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu
        entries={entries}
        align={align}
        side={side}
        className={menuClassName}
        button={button}
        byKeyboard={openedBy === "keyboard"}
      />
    </Suspense>
  );
}
