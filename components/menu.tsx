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
  /** One of several choices, one of which is checked. */
  | { kind: "choice"; label: string; icon?: Icon; checked: boolean; onSelect: () => void }
  | { kind: "heading"; label: string }
  | { kind: "separator" };

interface MenuProps {
  entries: MenuEntry[];
  align: "start" | "end" | undefined;
  side: "top" | "bottom" | undefined;
  className: string | undefined;
  button: ComponentProps<"button">;
  /** Whether it was opened with the keyboard. */
  byKeyboard: boolean;
}

/** Rendered once its button was pressed, so it starts open. */
export function Menu({ entries, align = "start", side, className, button, byKeyboard }: MenuProps) {
  const chosen = useRef<() => void>(undefined);
  const startsAtFirst = useRef(byKeyboard);
  // the menu was not mounted when the key was pressed, so it focuses its first entry itself
  function onFocus({ target, currentTarget }: FocusEvent<HTMLElement>): void {
    if (!startsAtFirst.current || target !== currentTarget) return;
    startsAtFirst.current = false;
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }
  // the chosen action runs once the button has the focus again, so that a dialog can return the focus there
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
