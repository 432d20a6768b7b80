"use client";

import type { ComponentProps } from "react";
import { useScrollStop } from "@/components/ui/use-scroll-stop.ts";

/** A scrolling container that works with the keyboard too. */
export function ScrollFrame(props: ComponentProps<"div">) {
  return <div {...useScrollStop<HTMLDivElement>()} {...props} />;
}
