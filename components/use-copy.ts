"use client";

import { useEffect, useRef, useState } from "react";

type CopyState = "idle" | "copied" | "failed";

const SHOWN_MS = 2_000;

/** Copies text, on plain HTTP too. `failed` stays until the next attempt, so that the person can copy by hand. */
export function useCopy() {
  const [state, setState] = useState<CopyState>("idle");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** @param shown the element that shows the text, which is selected if the browser refuses to copy */
  async function copy(text: string, shown?: HTMLElement | null): Promise<void> {
    clearTimeout(timer.current);
    if ((await toClipboard(text)) || bySelection(text)) {
      setState("copied");
      timer.current = setTimeout(() => setState("idle"), SHOWN_MS);
      return;
    }
    if (shown) select(shown);
    setState("failed");
  }

  return { state, copy };
}

async function toClipboard(text: string): Promise<boolean> {
  // undefined on plain HTTP, despite its type
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (!clipboard) return false;
  try {
    await clipboard.writeText(text);
    return true;
  } catch {
    // permission denied: copying a selection may still work
    return false;
  }
}

/** Copies a range over an invisible element. The focus does not move, so a dialog's focus trap does not interfere. */
function bySelection(text: string): boolean {
  const holder = document.createElement("span");
  holder.textContent = text;
  holder.style.cssText =
    "position:fixed;top:0;clip-path:inset(50%);white-space:pre;user-select:text;-webkit-user-select:text";
  holder.setAttribute("aria-hidden", "true");
  document.body.append(holder);
  const selection = document.getSelection();
  const before = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  select(holder);
  try {
    return document.execCommand("copy");
  } catch {
    // the browser does not support the command
    return false;
  } finally {
    holder.remove();
    selection?.removeAllRanges();
    if (before) selection?.addRange(before);
  }
}

function select(element: HTMLElement): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.focus();
    element.select();
    return;
  }
  const selection = document.getSelection();
  const range = document.createRange();
  range.selectNodeContents(element);
  selection?.removeAllRanges();
  selection?.addRange(range);
}
