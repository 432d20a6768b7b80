import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/components/cn.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return (
    <section
      className={cn("overflow-hidden rounded-lg border border-border bg-surface shadow-xs", className)}
      {...props}
    />
  );
}

interface CardHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
  className?: string;
}

export function CardHeader({ title, description, actions, className }: CardHeaderProps) {
  return (
    <header className={cn("flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5", className)}>
      <div className="grid gap-1">
        <h2 className="font-semibold text-base">{title}</h2>
        {description && <p className="max-w-prose text-muted">{description}</p>}
      </div>
      {actions && <div className="flex items-center gap-2">{actions}</div>}
    </header>
  );
}

interface CardSplitProps {
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
}

/** A block of settings: title on the left, fields on the right, or stacked on narrow screens. */
export function CardSplit({ title, description, children }: CardSplitProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-between gap-x-10 gap-y-5 p-5 lg:grid-cols-[minmax(0,20rem)_minmax(0,36rem)]">
      <header className="grid content-start gap-1">
        <h2 className="font-semibold text-base">{title}</h2>
        {description && <p className="max-w-prose text-muted">{description}</p>}
      </header>
      <div className="grid content-start gap-5">{children}</div>
    </div>
  );
}

export function CardBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("p-5", className)} {...props} />;
}

/** The last line of a card: a note that may shrink, and the save button. */
export function CardFooter({ className, ...props }: ComponentProps<"footer">) {
  return (
    <footer
      className={cn(
        "flex min-h-14 items-center justify-between gap-4 border-border border-t bg-subtle px-5 py-3 text-muted text-sm",
        className,
      )}
      {...props}
    />
  );
}
