import Link from "next/link";
import type { ReactNode } from "react";
import type { Waiting } from "@/lib/usage/count-waiting.ts";
import { usageQueryString } from "./search-params.ts";

interface UsageTabsProps {
  here: "figures" | "requests" | "unanswered" | "reports";
  /** The filter, which the links to the other tabs keep. */
  filter: { days: 7 | 30 | 90; sender: string | null };
  waiting: Waiting;
}

export function UsageTabs({ here, filter, waiting }: UsageTabsProps) {
  return (
    <nav aria-label="Usage" className="flex gap-5 overflow-x-auto max-sm:gap-3 border-border border-b">
      <Tab href={`/usage${usageQueryString(filter)}`} here={here === "figures"}>
        Figures
      </Tab>
      <Tab href={`/usage/requests${usageQueryString(filter)}`} here={here === "requests"}>
        Requests
      </Tab>
      <Tab href="/usage/unanswered" here={here === "unanswered"} count={waiting.unanswered}>
        Unanswered
      </Tab>
      <Tab href="/usage/reports" here={here === "reports"} count={waiting.reports}>
        <span>
          Reported<span className="max-sm:sr-only"> answers</span>
        </span>
      </Tab>
    </nav>
  );
}

interface TabProps {
  href: string;
  here: boolean;
  /** Number of items that need attention. */
  count?: number;
  children: ReactNode;
}

function Tab({ href, here, count = 0, children }: TabProps) {
  return (
    <Link
      href={href}
      aria-current={here ? "page" : undefined}
      className="-mb-px flex h-9 shrink-0 items-center border-transparent border-b-2 font-medium text-muted transition-colors hover:text-foreground focus-visible:-outline-offset-2 aria-[current=page]:border-foreground aria-[current=page]:text-foreground max-sm:h-11"
    >
      {children}
      {count > 0 && (
        <span className="tabular ml-2 rounded-full bg-warning-soft px-1.5 py-px text-warning text-xs">{count}</span>
      )}
    </Link>
  );
}
