"use client";

import * as Primitive from "radix-ui/tabs";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";

export const Tabs = Primitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return <Primitive.List className={cn("flex gap-5 overflow-x-auto border-border border-b", className)} {...props} />;
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        "-mb-px h-9 shrink-0 border-transparent border-b-2 font-medium text-muted transition-colors hover:text-foreground focus-visible:-outline-offset-2 max-sm:h-11 data-[state=active]:border-foreground data-[state=active]:text-foreground",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn("pt-5", className)} {...props} />;
}
