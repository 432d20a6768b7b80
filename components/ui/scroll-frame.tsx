"use client";

import type { ComponentProps } from "react";
import { useScrollStop } from "@/components/ui/use-scroll-stop.ts";

/** Scrolls inside itself, by keyboard too. */
export function ScrollFrame(props: ComponentProps<"div">) {
  return <div {...useScrollStop<HTMLDivElement>()} {...props} />;
}
