"use client";

import type { ComponentProps } from "react";
import { useWaiting } from "@/components/use-waiting.ts";

/** A button without a look of its own. */
export function PlainButton({ disabled, type = "button", ...props }: ComponentProps<"button">) {
  return <button type={type} {...props} {...useWaiting(disabled)} />;
}
