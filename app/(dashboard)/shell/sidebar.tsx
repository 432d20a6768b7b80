import BookOpen from "lucide-react/icons/book-open";
import Link from "next/link";
import { FindButton } from "@/app/(dashboard)/find/find.tsx";
import { CompanySwitcher } from "@/app/(dashboard)/shell/company-switcher.tsx";
import { navigation } from "@/app/(dashboard)/shell/nav.ts";
import { NAV_LINK_STYLE, NavLinks } from "@/app/(dashboard)/shell/nav-links.tsx";
import { UserMenu } from "@/app/(dashboard)/shell/user-menu.tsx";
import { LogoMark } from "@/components/logo.tsx";
import type { Member } from "@/lib/auth/session.ts";
import { mayCreateCompany } from "@/lib/companies/service.ts";
import type { Waiting } from "@/lib/usage/count-waiting.ts";

/** Logo, company, pages, API reference and user menu, beside the page or in the drawer. */
export function Sidebar({ member, waiting }: { member: Member; waiting: Waiting }) {
  const { company, companies, role, name, email, actor } = member;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-5 px-3 pt-3 pb-3">
      <div className="grid gap-3">
        <Link
          href="/overview"
          className="flex h-9 w-fit items-center gap-2 rounded-sm px-2 font-semibold text-lg tracking-tight"
        >
          <LogoMark className="size-5.5" />
          Ragstone
        </Link>
        <CompanySwitcher current={company} companies={companies} canCreate={mayCreateCompany(actor)} />
        <FindButton />
      </div>
      <nav aria-label="Main" className="-mx-3 min-h-0 flex-1 overflow-y-auto px-3 py-1">
        <NavLinks groups={navigation(role, waiting)} />
      </nav>
      <div className="grid gap-1 border-border border-t pt-3">
        <Link href="/docs" className={NAV_LINK_STYLE}>
          <BookOpen aria-hidden />
          API reference
        </Link>
        <UserMenu name={name} email={email} role={role} />
      </div>
    </div>
  );
}
