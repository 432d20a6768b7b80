import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";

/** A placeholder while content loads. Make it as large as the content, so that the layout does not shift. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("h-4 animate-pulse rounded-sm bg-hover", className)} {...props} />;
}

/** Placeholder rows of a table that is loading. */
export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  const keys = Array.from({ length: rows }, (_, row) => `row ${row}`);
  return (
    <div role="status" className="rounded-lg border border-border bg-surface">
      <span className="sr-only">Loading…</span>
      {keys.map((key) => (
        <div key={key} className="flex h-13 items-center gap-6 border-border border-b px-4 last:border-0">
          <Skeleton className="w-1/4" />
          <Skeleton className="w-1/3" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}
