import { useEffect } from "react";

/** Makes the browser ask for confirmation before it leaves the page, while the page shows what would be lost. */
export function useLeaveGuard(active = true): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
}
