"use client";

import type { ComponentProps } from "react";
import { useDisabledUntilHydrated } from "@/components/use-hydrated.ts";

/** A button without styles. */
export function PlainButton({ disabled, type = "button", ...props }: ComponentProps<"button">) {
  return <button type={type} {...props} {...useDisabledUntilHydrated(disabled)} />;
}
