import ChevronRight from "lucide-react/icons/chevron-right";
import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** Summary of the section's values, shown while it is closed. */
  note?: string | undefined;
  children: ReactNode;
}

/** A collapsible part of the form. */
export function Section({ title, note, children }: SectionProps) {
  return (
    <details className="group border-border border-t">
      <summary className="flex h-11 items-center gap-2 px-5 font-medium text-sm transition-colors hover:bg-subtle focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" />
        {title}
        {note && (
          <span className="ml-auto max-w-32 truncate rounded-full bg-accent-soft px-2 text-accent text-xs leading-5">
            {note}
          </span>
        )}
      </summary>
      <div className="grid gap-4 px-5 pt-1 pb-5">{children}</div>
    </details>
  );
}
