"use client";

import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { MenuEntry } from "@/components/menu.tsx";
import { PlainButton } from "@/components/ui/plain-button.tsx";

interface MenuButtonProps extends Omit<ComponentProps<"button">, "type"> {
  entries: MenuEntry[];
  align?: "start" | "end";
  side?: "top" | "bottom";
  /** Of the menu. */
  menuClassName?: string;
}

const load = () => import("@/components/menu.tsx");
const Menu = lazy(() => load().then((module) => ({ default: module.Menu })));

/** A button that opens a menu. The menu's code comes when someone is about to, so that no page waits for it. */
export function MenuButton({ entries, align, side, menuClassName, ...button }: MenuButtonProps) {
  const [wanted, setWanted] = useState<"pointer" | "keyboard" | null>(null);
  const closed = (
    <PlainButton
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={({ detail }) => setWanted(detail === 0 ? "keyboard" : "pointer")}
    />
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <Menu
        entries={entries}
        align={align}
        side={side}
        className={menuClassName}
        button={button}
        byKeyboard={wanted === "keyboard"}
      />
    </Suspense>
  );
}
