import type { ComponentType, ReactNode } from "react";

interface EmptyStateProps {
  icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>;
  title: string;
  /** Says why there is nothing, and what to do. */
  children: ReactNode;
  actions?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-4 rounded-lg border border-border border-dashed px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-md border border-border bg-surface text-muted shadow-xs">
        <Icon className="size-5" aria-hidden />
      </span>
      <div className="grid max-w-md gap-1.5">
        <h2 className="font-semibold text-base">{title}</h2>
        <div className="text-balance text-muted">{children}</div>
      </div>
      {actions && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
