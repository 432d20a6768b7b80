"use client";

import ArrowLeft from "lucide-react/icons/arrow-left";
import Link from "next/link";
import { useListAddress } from "@/components/list-query.tsx";

interface BackLinkProps {
  href: string;
  /** Leads to the whole list, because its filters could hide what the page adds. */
  unfiltered?: boolean;
  children: string;
}

/** A link above the title of a page, back to its list, with the filters that a list with `RememberQuery` had. */
export function BackLink({ href, unfiltered = false, children }: BackLinkProps) {
  const address = useListAddress(href);
  return (
    <Link
      href={unfiltered ? href : address}
      className="-my-1 inline-flex max-w-full items-center gap-1.5 justify-self-start py-1 text-muted text-sm hover:text-foreground max-sm:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" />
      <span className="wrap-anywhere">{children}</span>
    </Link>
  );
}
