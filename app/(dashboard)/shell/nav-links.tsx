"use client";

import Building2 from "lucide-react/icons/building-2";
import ChartNoAxesColumn from "lucide-react/icons/chart-no-axes-column";
import CreditCard from "lucide-react/icons/credit-card";
import FlaskConical from "lucide-react/icons/flask-conical";
import KeyRound from "lucide-react/icons/key-round";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import Library from "lucide-react/icons/library";
import Plug from "lucide-react/icons/plug";
import ScrollText from "lucide-react/icons/scroll-text";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import SquareTerminal from "lucide-react/icons/square-terminal";
import Users from "lucide-react/icons/users";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import type { NavGroup, NavItem } from "@/app/(dashboard)/shell/nav.ts";
import { cn } from "@/components/cn.ts";

const ICONS = {
  overview: LayoutDashboard,
  knowledge: Library,
  playground: SquareTerminal,
  usage: ChartNoAxesColumn,
  tests: FlaskConical,
  keys: KeyRound,
  connect: Plug,
  subscription: CreditCard,
  members: Users,
  company: Building2,
  retrieval: SlidersHorizontal,
  audit: ScrollText,
} satisfies Record<NavItem["icon"], unknown>;

export const NAV_LINK_STYLE =
  "flex h-8 items-center gap-2.5 rounded-sm px-2 text-muted transition-colors hover:bg-hover hover:text-foreground aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-foreground max-lg:h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export function NavLinks({ groups }: { groups: NavGroup[] }) {
  const pathname = usePathname();
  return (
    <div className="grid gap-5">
      {groups.map(({ title, items }) => (
        <div key={title} className="grid gap-0.5">
          {title && <h2 className="px-2 pb-1 font-medium text-muted text-xs">{title}</h2>}
          {items.map(({ href, label, icon, waiting }) => {
            const Icon = ICONS[icon];
            const here = pathname === href || pathname.startsWith(`${href}/`);
            return (
              <Link key={href} href={href} className={NAV_LINK_STYLE} aria-current={here ? "page" : undefined}>
                <Icon aria-hidden className={cn(here && "text-accent")} />
                {label}
                {waiting && (
                  <span
                    title={waiting.name}
                    className="tabular rounded-full bg-warning-soft px-1.5 py-px text-warning text-xs"
                  >
                    <span aria-hidden>{waiting.count}</span>
                    <span className="sr-only">, {waiting.name}</span>
                  </span>
                )}
                <Pending />
              </Link>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** A dot while the page loads. It appears with a delay, so that fast pages show none. */
function Pending() {
  const { pending } = useLinkStatus();
  return (
    <span
      aria-hidden
      className={cn(
        "ml-auto size-1.5 rounded-full bg-accent opacity-0 transition-opacity",
        pending && "animate-pulse opacity-100 delay-200",
      )}
    />
  );
}
