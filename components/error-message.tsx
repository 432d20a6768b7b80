import CircleAlert from "lucide-react/icons/circle-alert";
import type { ReactNode } from "react";
import { cn } from "@/components/cn.ts";

interface ErrorMessageProps {
  /** The message; nothing is shown if it is empty. */
  children: ReactNode;
  className?: string;
}

/** Shows an error next to its cause, under a form or in a dialog. Screen readers announce it. */
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
