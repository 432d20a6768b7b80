"use client";

import { type RefObject, useRef, useState } from "react";
import { focusPageTitle } from "@/components/focus-page-title.ts";

/** The element that had the focus, and its own row and those beside it, which can take the focus if it is removed. */
interface FocusOrigin {
  element: HTMLElement;
  /** Column index of the element in its table. */
  cell: number;
  neighbours: (Element | null | undefined)[];
}

/**
 * Returns the focus when a dialog without its own trigger closes: to the element that had it, or, if that element was
 * removed, to the first control in the same column of its row or of an adjacent one, or else to the page's title. Render
 * `Opener` inside the dialog's content, and pass the handler to the content.
 */
export function useReturnFocus() {
  const opener = useRef<FocusOrigin | null>(null);
  function onCloseAutoFocus(event: Event): void {
    event.preventDefault();
    const origin = opener.current;
    if (origin?.element.isConnected) {
      origin.element.focus();
      focusNextWhenRemoved(origin);
    } else if (document.activeElement === document.body) focusNext(origin);
  }
  return { opener, onCloseAutoFocus };
}

/**
 * Moves the focus on when the control that has it is removed: within its row, to an adjacent row, or to the page's title.
 * Called before an action that may remove the control that started it.
 */
export function keepFocus(): void {
  const origin = focusOriginOf(document.activeElement);
  if (origin) focusNextWhenRemoved(origin);
}

/** Records the focused element. Rendered when the dialog opens, before a field of the dialog takes the focus. */
export function Opener({ of }: { of: RefObject<FocusOrigin | null> }) {
  useState(() => {
    of.current = focusOriginOf(document.activeElement);
  });
  return null;
}

function focusOriginOf(element: Element | null): FocusOrigin | null {
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const row = element.closest("tr");
  const cell = element.closest("td")?.cellIndex ?? 0;
  return { element, cell, neighbours: [row, row?.nextElementSibling, row?.previousElementSibling] };
}

/** An action may remove the element a moment later: a revoked key leaves the table. */
function focusNextWhenRemoved(origin: FocusOrigin): void {
  const { element } = origin;
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    if (document.activeElement === document.body) focusNext(origin);
  });
  observer.observe(document.body, { childList: true, subtree: true });
  // stops when the person moves the focus; removing the element may also cause a blur, which does not count
  element.addEventListener("blur", () => queueMicrotask(() => element.isConnected && observer.disconnect()), {
    once: true,
  });
}

function focusNext(origin: FocusOrigin | null): void {
  const next = origin?.neighbours.flatMap((row) => controlOf(row, origin.cell) ?? [])[0];
  if (next) next.focus();
  else focusPageTitle();
}

function controlOf(row: Element | null | undefined, cell: number): HTMLElement | null {
  if (!(row instanceof HTMLTableRowElement) || !row.isConnected) return null;
  const controls = [...(row.cells[cell]?.querySelectorAll<HTMLElement>("button, a, input") ?? [])];
  return controls.find((control) => control.checkVisibility() && !control.matches(":disabled")) ?? null;
}
