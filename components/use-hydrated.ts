"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether React has hydrated the page: false in the server's HTML and during hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/**
 * Disables a control until the page is hydrated: an earlier click would be lost, or the browser would submit the form
 * with its values in the URL. Until then, the control does not look disabled (see `off:` in the style sheet).
 */
export function useDisabledUntilHydrated(disabled: boolean | undefined) {
  const hydrated = useHydrated();
  return { disabled: disabled || !hydrated, "data-waiting": (!hydrated && !disabled) || undefined };
}
