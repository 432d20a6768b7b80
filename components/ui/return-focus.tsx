"use client";

import { type RefObject, useRef, useState } from "react";

/**
 * For a dialog that is opened without a trigger of its own: focus goes back to what had it, and when that is gone with
 * its row, to the page's title. `Opener` stands inside the dialog's content, the handler on it.
 */
export function useReturnFocus() {
  const opener = useRef<Element | null>(null);
  function onCloseAutoFocus(event: Event): void {
    event.preventDefault();
    const before = opener.current;
    const lost = !(before instanceof HTMLElement) || !before.isConnected || before === document.body;
    (lost ? document.getElementById("page-title") : before)?.focus();
  }
  return { opener, onCloseAutoFocus };
}

/** Rendered when the dialog opens, before a field in it takes the focus. */
export function Opener({ of }: { of: RefObject<Element | null> }) {
  useState(() => {
    of.current = document.activeElement;
  });
  return null;
}
