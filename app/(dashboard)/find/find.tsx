"use client";

import Search from "lucide-react/icons/search";
import { useEffect, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import type { FindablePage } from "../shell/nav.ts";

const FindDialog = lazyComponent(() => import("./find-dialog.tsx").then((module) => module.FindDialog));

const OPEN = "ragstone:find";

interface FindProps {
  pages: FindablePage[];
  isAdmin: boolean;
}

/**
 * Opens the search over pages, sources, keys, test questions and requests: by `FindButton`, or by Ctrl+K unless a dialog
 * is open.
 */
export function Find({ pages, isAdmin }: FindProps) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const open = () => setIsOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // a result would leave the page, and lose what the dialog shows
      if (!document.querySelector("[role=dialog], [role=alertdialog]")) open();
    };
    document.addEventListener("keydown", onKey);
    window.addEventListener(OPEN, open);
    return () => {
      document.removeEventListener("keydown", onKey);
      window.removeEventListener(OPEN, open);
    };
  }, []);
  return isOpen && <FindDialog pages={pages} isAdmin={isAdmin} onClose={() => setIsOpen(false)} />;
}

export function FindButton() {
  return (
    <button
      type="button"
      onClick={() => window.dispatchEvent(new Event(OPEN))}
      className="flex h-8 items-center gap-2.5 rounded-sm px-2 text-muted transition-colors hover:bg-hover hover:text-foreground max-lg:h-11"
    >
      <Search aria-hidden className="size-4" />
      Find
      <kbd className="ml-auto font-sans text-xs max-lg:hidden">Ctrl K</kbd>
    </button>
  );
}
