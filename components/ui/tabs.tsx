"use client";

import * as Primitive from "radix-ui/tabs";
import { type ComponentProps, useEffect, useRef } from "react";
import { cn } from "@/components/cn.ts";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

export const Tabs = Primitive.Root;

/** Scrolls sideways on narrow screens, and keeps the chosen tab visible. */
export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = ref.current;
    const chosen = list?.querySelector("[data-state=active]")?.getBoundingClientRect();
    if (!list || !chosen) return;
    const { left, right } = list.getBoundingClientRect();
    if (chosen.right > right || chosen.left < left) list.scrollLeft += chosen.left - left - list.clientWidth / 4;
  });
  return (
    <Primitive.List
      ref={ref}
      className={cn("flex gap-5 overflow-x-auto border-border border-b", className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, disabled, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        "-mb-px h-9 shrink-0 border-transparent border-b-2 font-medium text-muted transition-colors hover:text-foreground focus-visible:-outline-offset-2 max-sm:h-11 data-[state=active]:border-foreground data-[state=active]:text-foreground",
        className,
      )}
      {...props}
      {...useDisabledUntilHydrated(disabled)}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn("pt-5 data-[state=inactive]:hidden", className)} {...props} />;
}
