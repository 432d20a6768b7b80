"use client";

import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from "react";
import { PlainButton } from "@/components/ui/plain-button.tsx";

type Icon = ComponentType<{ className?: string; "aria-hidden"?: boolean }>;

export type MenuEntry =
  | { kind: "item"; label: string; icon?: Icon; onSelect: () => void; destructive?: boolean; disabled?: boolean }
  | { kind: "link"; label: string; icon?: Icon; href: string }
  /** One of several, of which one is checked. */
  | { kind: "choice"; label: string; icon?: Icon; checked: boolean; onSelect: () => void }
  | { kind: "heading"; label: string }
  | { kind: "separator" };

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
