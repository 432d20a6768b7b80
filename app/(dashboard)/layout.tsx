import Link from "next/link";
import type { ReactNode } from "react";
import { Find } from "@/app/(dashboard)/find/find.tsx";
import { UploadStatus } from "@/app/(dashboard)/knowledge/add/upload-status.tsx";
import { MobileNav } from "@/app/(dashboard)/shell/mobile-nav.tsx";
import { findablePages } from "@/app/(dashboard)/shell/nav.ts";
import { Sidebar } from "@/app/(dashboard)/shell/sidebar.tsx";
import { SubscriptionBanner } from "@/app/(dashboard)/shell/subscription-banner.tsx";
import { CompanyProvider } from "@/components/company-context.tsx";
import { LogoMark } from "@/components/logo.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getSubscription } from "@/lib/subscriptions/service.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const member = await requireMember();
  const { scope, actor } = member;
  const [subscription, waiting] = await Promise.all([getSubscription(scope, actor), countWaiting(scope, actor)]);
  return (
    <CompanyProvider companyId={member.company.id}>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-60 focus:rounded-md focus:bg-primary focus:px-4 focus:py-2 focus:text-primary-foreground"
      >
        Skip to main content
      </a>
      <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh flex-col border-border border-r lg:flex">
          <Sidebar member={member} waiting={waiting} />
        </aside>
        <div className="flex min-w-0 flex-col">
          <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-border border-b bg-background px-2 lg:hidden">
            <MobileNav>
              <Sidebar member={member} waiting={waiting} />
            </MobileNav>
            <Link href="/overview" className="flex items-center gap-2 font-semibold text-lg tracking-tight">
              <LogoMark className="size-5.5" />
              Ragstone
            </Link>
            <span className="ml-auto max-w-40 truncate pr-2 text-muted text-sm">{member.company.name}</span>
          </header>
          <SubscriptionBanner subscription={subscription} role={member.role} />
          <UploadStatus companies={member.companies} />
          <Find pages={findablePages(member.role)} isAdmin={member.role === "admin"} />
          <main
            id="content"
            tabIndex={-1}
            className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 py-6 outline-none sm:px-8 sm:py-9 has-[[data-wide]]:max-w-[100rem]"
          >
            {children}
          </main>
        </div>
      </div>
    </CompanyProvider>
  );
}
