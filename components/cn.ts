import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  // our own names of size and colour share the prefix `text-`
  extend: { classGroups: { "font-size": [{ text: ["xs", "sm", "base", "lg", "xl", "2xl"] }] } },
});

/** Class names, the later of two that contradict each other. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
