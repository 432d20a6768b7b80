"use client";

export interface Notice {
  kind: "success" | "error" | "message";
  text: string;
  /** A second line. */
  description?: string;
  durationMs?: number;
  /** A button on it, such as Undo. */
  action?: { label: string; onClick: () => void };
}

const queue: Notice[] = [];
let wake: (() => void) | undefined;

/** Shows a toast. It repeats what the page says, or says what it need not say for long. */
export function notify(text: string, options: Omit<Notice, "text" | "kind"> & { kind?: Notice["kind"] } = {}): void {
  queue.push({ kind: "success", ...options, text });
  wake?.();
}

/** The one who shows them is told of each, and of those that were there before. @returns how to stop */
export function onNotice(listener: () => void): () => void {
  wake = listener;
  if (queue.length > 0) listener();
  return () => {
    wake = undefined;
  };
}

/** Those not shown yet; they are then. */
export function takeNotices(): Notice[] {
  return queue.splice(0);
}
