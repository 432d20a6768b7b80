"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether the page's scripts are at work: false in the server's HTML and while it is taken over. */
function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * For what is pressed or chosen: without the page's scripts that would be lost, or would send a form as the browser does,
 * into the address. So it waits for them, and looks as if it did not (`off:` in the style sheet).
 */
export function useWaiting(disabled: boolean | undefined) {
  const hydrated = useHydrated();
  return { disabled: disabled || !hydrated, "data-waiting": (!hydrated && !disabled) || undefined };
}
