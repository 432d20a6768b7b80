"use client";

interface Notice {
  kind: "success" | "error" | "message";
  text: string;
  /** Second line. */
  description?: string;
  durationMs?: number;
  /** A button, such as Undo. */
  action?: { label: string; onClick: () => void };
}

/** What a toast shows beside its text. By default, it is green. */
export type NoticeOptions = Partial<Omit<Notice, "text">>;

const queue: Notice[] = [];
let onQueued: (() => void) | undefined;

/** Shows a toast. Toasts disappear, so they must not be the only place of important information. */
export function notify(text: string, options: NoticeOptions = {}): void {
  queue.push({ kind: "success", ...options, text });
  onQueued?.();
}

/** Calls `listener` for each new notice, and immediately if some are queued. @returns a function that unsubscribes */
export function subscribeToNotices(listener: () => void): () => void {
  onQueued = listener;
  if (queue.length > 0) listener();
  return () => {
    onQueued = undefined;
  };
}

/** Returns the queued notices and empties the queue. */
export function takeNotices(): Notice[] {
  return queue.splice(0);
}
