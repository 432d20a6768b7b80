import CircleAlert from "lucide-react/icons/circle-alert";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";

interface ErrorMessageProps {
  /** Nothing shows while there is none. */
  children: ReactNode;
  className?: string;
}

/** What went wrong and what to do, where it went wrong: under a form, in a dialog. Read out when it appears. */
export function ErrorMessage({ children, className }: ErrorMessageProps) {
  return (
    <div role="alert" className={cn(!children && "contents")}>
      {children && (
        <p className={cn("flex items-start gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger", className)}>
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span className="min-w-0">{children}</span>
        </p>
      )}
    </div>
  );
}
