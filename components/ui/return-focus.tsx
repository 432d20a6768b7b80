"use client";

import { type RefObject, useRef, useState } from "react";

/** What had the focus when a dialog opened, and where the focus goes when that is gone by the end. */
interface OpenerPlace {
  element: HTMLElement;
  /** The column of the element in its table. */
  cell: number;
  neighbours: (Element | null | undefined)[];
}

/**
 * For a dialog that is opened without a trigger of its own: focus goes back to what had it, and when that is gone with
 * its row, to the same control of the row beside it, else to the page's title. `Opener` stands inside the dialog's
 * content, the handler on it.
 */
export function useReturnFocus() {
  const opener = useRef<OpenerPlace | null>(null);
  function onCloseAutoFocus(event: Event): void {
    event.preventDefault();
    const before = opener.current;
    if (before?.element.isConnected) {
      before.element.focus();
      focusNextWhenRemoved(before);
    } else focusNext(before);
  }
  return { opener, onCloseAutoFocus };
}

/** Rendered when the dialog opens, before a field in it takes the focus. */
export function Opener({ of }: { of: RefObject<OpenerPlace | null> }) {
  useState(() => {
    of.current = placeOf(document.activeElement);
  });
  return null;
}

function placeOf(element: Element | null): OpenerPlace | null {
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const row = element.closest("tr");
  const cell = element.closest("td")?.cellIndex ?? 0;
  return { element, cell, neighbours: [row?.nextElementSibling, row?.previousElementSibling] };
}

/** What the dialog did may take its opener away a moment later: a revoked key leaves the table. */
function focusNextWhenRemoved(before: OpenerPlace): void {
  const { element } = before;
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusNext(before);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // the person went on by themselves; a removed element may blur as well
  element.addEventListener("blur", () => queueMicrotask(() => element.isConnected && observer.disconnect()), {
    once: true,
  });
}

function focusNext(before: OpenerPlace | null): void {
  const next = before?.neighbours.flatMap((row) => controlOf(row, before.cell) ?? [])[0];
  (next ?? document.getElementById("page-title"))?.focus();
}

function controlOf(row: Element | null | undefined, cell: number): HTMLElement | null {
  if (!(row instanceof HTMLTableRowElement) || !row.isConnected) return null;
  return row.cells[cell]?.querySelector<HTMLElement>("button, a, input") ?? null;
}
