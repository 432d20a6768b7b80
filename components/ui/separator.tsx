import { cn } from "@/components/cn.ts";

export function Separator({ className }: { className?: string }) {
  return <hr className={cn("border-0 border-border border-t", className)} />;
}
