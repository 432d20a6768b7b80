import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";
import { ScrollFrame } from "@/components/ui/scroll-frame.tsx";

/** Scrolls sideways inside its own frame, so that the page does not. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <ScrollFrame className="overflow-x-auto rounded-lg border border-border bg-surface shadow-xs">
      <table className={cn("w-full border-collapse text-left", className)} {...props} />
    </ScrollFrame>
  );
}

export function TableHead({ className, ...props }: ComponentProps<"thead">) {
  return <thead className={cn("border-border border-b bg-subtle", className)} {...props} />;
}

export function TableBody({ className, ...props }: ComponentProps<"tbody">) {
  return <tbody className={cn("divide-y divide-border", className)} {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr
      className={cn(
        "transition-colors hover:bg-subtle data-[state=selected]:bg-subtle [&[data-state=selected]>td:first-child]:shadow-[inset_2px_0_0_var(--accent)]",
        className,
      )}
      {...props}
    />
  );
}

export function TableHeader({ className, ...props }: ComponentProps<"th">) {
  return (
    <th scope="col" className={cn("h-9 whitespace-nowrap px-4 font-medium text-muted text-xs", className)} {...props} />
  );
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return <td className={cn("h-13 px-4 py-2 align-middle", className)} {...props} />;
}
