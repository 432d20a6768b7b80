"use client";

import Check from "lucide-react/icons/check";
import Link from "next/link";
import type { ComponentProps } from "react";
import type { MenuEntry } from "@/components/menu-button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";

interface MenuProps {
  entries: MenuEntry[];
  align: "start" | "end" | undefined;
  side: "top" | "bottom" | undefined;
  className: string | undefined;
  button: ComponentProps<"button">;
}

/** It is open when it comes: someone asked for it. */
export function Menu({ entries, align = "start", side, className, button }: MenuProps) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger {...button} />
      <DropdownMenuContent align={align} side={side} className={className}>
        {entries.map((entry, index) => (
          <Entry key={"label" in entry ? `${entry.kind} ${entry.label} ${index}` : `line ${index}`} entry={entry} />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case "separator":
      return <DropdownMenuSeparator />;
    case "heading":
      return <DropdownMenuLabel className="truncate">{entry.label}</DropdownMenuLabel>;
    case "link":
      return (
        <DropdownMenuItem asChild>
          <Link href={entry.href}>
            {entry.icon && <entry.icon aria-hidden />}
            {entry.label}
          </Link>
        </DropdownMenuItem>
      );
    case "choice":
      return (
        <DropdownMenuItem role="menuitemradio" aria-checked={entry.checked} onSelect={entry.onSelect}>
          {entry.icon && <entry.icon aria-hidden />}
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          {entry.checked && <Check aria-hidden />}
        </DropdownMenuItem>
      );
    case "item":
      return (
        <DropdownMenuItem destructive={entry.destructive} disabled={entry.disabled} onSelect={entry.onSelect}>
          {entry.icon && <entry.icon aria-hidden />}
          {entry.label}
        </DropdownMenuItem>
      );
  }
}
