import Link from "next/link";
import type { ReactNode } from "react";

export interface Stat {
  label: string;
  value: string;
  /** Meaning of the figure, in a few words. */
  note?: ReactNode;
  /** Page with more about the figure. */
  href?: string;
}

/** A few figures side by side, with their labels. */
export function StatRow({ stats }: { stats: Stat[] }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-border bg-border shadow-xs lg:grid-cols-4">
      {stats.map(({ label, value, note, href }) => (
        <div
          key={label}
          className="relative grid content-start gap-0.5 bg-surface px-5 py-4 transition-colors has-[a]:hover:bg-subtle"
        >
          <dt className="text-muted text-sm">
            {href ? (
              <Link href={href} className="after:absolute after:inset-0 focus-visible:after:outline-2">
                {label}
              </Link>
            ) : (
              label
            )}
          </dt>
          <dd className="tabular font-semibold text-xl tracking-tight">{value}</dd>
          {note && <dd className="text-muted text-sm">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
