"use client";

import Check from "lucide-react/icons/check";
import Link from "next/link";
import { type ComponentProps, type ComponentType, type FocusEvent, useRef } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";

type Icon = ComponentType<{ className?: string; "aria-hidden"?: boolean }>;

export type MenuEntry =
  | { kind: "item"; label: string; icon?: Icon; onSelect: () => void; destructive?: boolean; disabled?: boolean }
  | { kind: "link"; label: string; icon?: Icon; href: string }
  /** One of several, of which one is checked. */
  | { kind: "choice"; label: string; icon?: Icon; checked: boolean; onSelect: () => void }
  | { kind: "heading"; label: string }
  | { kind: "separator" };

interface MenuProps {
  entries: MenuEntry[];
  align: "start" | "end" | undefined;
  side: "top" | "bottom" | undefined;
  className: string | undefined;
  button: ComponentProps<"button">;
  /** A key asked for it. */
  byKeyboard: boolean;
}

/** It is open when it comes: someone asked for it. */
export function Menu({ entries, align = "start", side, className, button, byKeyboard }: MenuProps) {
  const chosen = useRef<() => void>(undefined);
  const startsAtFirst = useRef(byKeyboard);
  // the key was pressed before the menu was there to see it
  function onFocus({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    if (!startsAtFirst.current || target !== currentTarget) return;
    startsAtFirst.current = false;
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }
  // what was chosen happens when focus is back on the button, so that a dialog knows where to return it
  function onClosed(): void {
    queueMicrotask(() => {
      chosen.current?.();
      chosen.current = undefined;
    });
  }
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger {...button} />
      <DropdownMenuContent
        align={align}
        side={side}
        className={className}
        onFocus={onFocus}
        onCloseAutoFocus={onClosed}
      >
        {entries.map((entry, index) => (
          <Entry
            key={"label" in entry ? `${entry.kind} ${entry.label} ${index}` : `line ${index}`}
            entry={entry}
            onChoose={(act) => {
              chosen.current = act;
            }}
          />
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Entry({ entry, onChoose }: { entry: MenuEntry; onChoose: (act: () => void) => void }) {
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
        <DropdownMenuItem role="menuitemradio" aria-checked={entry.checked} onSelect={() => onChoose(entry.onSelect)}>
          {entry.icon && <entry.icon aria-hidden />}
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          {entry.checked && <Check aria-hidden />}
        </DropdownMenuItem>
      );
    case "item":
      return (
        <DropdownMenuItem
          destructive={entry.destructive}
          disabled={entry.disabled}
          onSelect={() => onChoose(entry.onSelect)}
        >
          {entry.icon && <entry.icon aria-hidden />}
          {entry.label}
        </DropdownMenuItem>
      );
  }
}
