import { cn } from "@/components/cn.ts";
import { Badge, type Tone } from "@/components/ui/badge.tsx";

interface StatusBadgeProps {
  tone: Tone;
  /** The status in a word. Colour alone must not carry it. */
  children: string;
  /** Whether the status is about to change, such as Processing. */
  live?: boolean;
  className?: string;
}

export function StatusBadge({ tone, children, live, className }: StatusBadgeProps) {
  return (
    <Badge tone={tone} className={className}>
      <span aria-hidden className={cn("size-1.5 rounded-full bg-current", live && "animate-pulse")} />
      {children}
    </Badge>
  );
}
