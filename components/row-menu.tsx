"use client";

import Ellipsis from "lucide-react/icons/ellipsis";
import { cn } from "@/components/cn.ts";
import type { MenuEntry } from "@/components/menu.tsx";
import { MenuButton } from "@/components/menu-button.tsx";
import { buttonStyle } from "@/components/ui/button.tsx";

interface RowMenuProps {
  /** Names the row: "Actions for Production". */
  label: string;
  entries: MenuEntry[];
  className?: string;
}

/** The menu at the end of a table row. */
export function RowMenu({ label, entries, className }: RowMenuProps) {
  return (
    <MenuButton
      aria-label={label}
      align="end"
      entries={entries}
      className={cn(buttonStyle({ variant: "ghost", size: "icon-sm" }), className)}
    >
      <Ellipsis aria-hidden />
    </MenuButton>
  );
}
