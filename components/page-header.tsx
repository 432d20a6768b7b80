import type { ReactNode } from "react";

interface PageHeaderProps {
  title: ReactNode;
  /** Purpose of the page, in one line. */
  description?: ReactNode;
  /** A status beside the title. */
  badge?: ReactNode;
  /** The page's buttons, the primary one last. */
  actions?: ReactNode;
}

export function PageHeader({ title, description, badge, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-3">
          {/* takes the focus when a dialog closes and its opener is gone */}
          <h1 id="page-title" tabIndex={-1} className="font-semibold text-xl tracking-tight outline-none">
            {title}
          </h1>
          {badge}
        </div>
        {description && <p className="max-w-prose text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
