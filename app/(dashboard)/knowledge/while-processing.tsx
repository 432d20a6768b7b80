"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { useIsStale } from "@/components/company-context.tsx";
import { counted } from "@/lib/counted.ts";

const REFRESH_MS = 2_500;
/** A multiple of the time that the last refresh took, because the page of a large company takes long. */
const PAUSE_FACTOR = 10;
const PAUSE_MS_MAX = 15_000;

interface WhileProcessingProps {
  processing: number;
  failed: number;
}

/** Says how many sources are processing or failed, and refreshes the page until processing ends. */
export function WhileProcessing({ processing, failed }: WhileProcessingProps) {
  useRefresh(processing > 0);
  return (
    <div aria-live="polite" className="contents">
      {(processing > 0 || failed > 0) && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          {processing > 0 && (
            <Link href="/knowledge?status=processing" className="text-accent underline-offset-4 hover:underline">
              {counted(processing, "source")} processing
            </Link>
          )}
          {failed > 0 && (
            <Link href="/knowledge?status=failed" className="text-danger underline-offset-4 hover:underline">
              {counted(failed, "source")} failed
            </Link>
          )}
        </p>
      )}
    </div>
  );
}

/**
 * Refreshes the page every few seconds while `active`, less often if a refresh takes long, unless the tab is hidden, a
 * refresh is pending, or another tab has switched the company.
 */
export function useRefresh(active: boolean): void {
  const router = useRouter();
  const isStale = useIsStale();
  const [isPending, startTransition] = useTransition();
  const took = useRef(0);
  useEffect(() => {
    if (!isPending) return;
    const started = performance.now();
    return () => {
      took.current = performance.now() - started;
    };
  }, [isPending]);
  useEffect(() => {
    if (!active || isPending) return;
    const timer = setInterval(
      () => {
        if (document.visibilityState === "visible" && !isStale.current) startTransition(() => router.refresh());
      },
      Math.min(PAUSE_MS_MAX, Math.max(REFRESH_MS, PAUSE_FACTOR * took.current)),
    );
    return () => clearInterval(timer);
  }, [active, isPending, isStale, router]);
}
