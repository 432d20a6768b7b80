import { type ClassValue, clsx } from "clsx";
import { extendTailwindMerge } from "tailwind-merge";

const merge = extendTailwindMerge({
  // without this list, our font sizes would be merged with our colours: both begin with `text-`
  extend: { classGroups: { "font-size": [{ text: ["xs", "sm", "base", "lg", "xl", "2xl"] }] } },
});

/** Joins class names. Of two conflicting Tailwind classes, the later one wins. */
export function cn(...inputs: ClassValue[]): string {
  return merge(clsx(inputs));
}
