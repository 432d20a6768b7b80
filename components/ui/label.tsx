"use client";

import * as Primitive from "radix-ui/label";
import type { ComponentProps } from "react";
import { cn } from "@/components/cn.ts";

export function Label({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn("font-medium text-foreground text-sm", className)} {...props} />;
}
