"use client";

import ArrowLeft from "lucide-react/icons/arrow-left";
import Link from "next/link";
import { useListAddress } from "@/components/list-query.tsx";

/** A link above the title of a page, back to its list, with the filters that a list with `RememberQuery` had. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={useListAddress(href)}
      className="-my-1 inline-flex max-w-full items-center gap-1.5 justify-self-start py-1 text-muted text-sm hover:text-foreground max-sm:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" />
      <span className="wrap-anywhere">{children}</span>
    </Link>
  );
}
