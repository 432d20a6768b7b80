import { cn } from "@/components/cn.ts";

/** Four layers of rock, the third one highlighted. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" className={cn("size-6", className)} aria-hidden="true">
      <path d="M7.2 3.5h9.1a2 2 0 0 1 1.7.9l1.1 1.8H4.7l.8-1.7a2 2 0 0 1 1.7-1Z" fill="currentColor" opacity=".38" />
      <path d="M4 7.9h16.2l1 2.9H2.9L4 7.9Z" fill="currentColor" opacity=".66" />
      <path d="M2.3 12.5h19.3l.3 2.9H2l.3-2.9Z" className="fill-accent" />
      <path d="M2.1 17.1h19.7l-.7 1.9a2.3 2.3 0 0 1-2.2 1.5H5.2A2.3 2.3 0 0 1 3 19l-.9-1.9Z" fill="currentColor" />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2 font-semibold text-lg tracking-tight", className)}>
      <LogoMark />
      Ragstone
    </span>
  );
}
