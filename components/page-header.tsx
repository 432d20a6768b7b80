import type { ReactNode } from "react";

interface PageHeaderProps {
  title: ReactNode;
  /** What the page is for, in a line. */
  description?: ReactNode;
  /** Beside the title: a status. */
  badge?: ReactNode;
  /** The page's buttons, the primary one last. */
  actions?: ReactNode;
}

export function PageHeader({ title, description, badge, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-3">
          {/* focus comes here when what opened a dialog is gone */}
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
