import ScrollText from "lucide-react/icons/scroll-text";
import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { Suspense } from "react";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";
import { browseAudit, EVENTS_PER_PAGE } from "@/lib/audit/browse.ts";
import { actionWords } from "@/lib/audit/describe-event.ts";
import type { Actor } from "@/lib/audit/record.ts";
import { requireMember } from "@/lib/auth/session.ts";
import type { TenantScope } from "@/lib/db/tenant.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import { auditQueryString, loadAuditParams } from "./search-params.ts";

export const metadata: Metadata = { title: "Audit log" };

interface AuditLogPageProps {
  searchParams: Promise<SearchParams>;
}

export default async function AuditLogPage({ searchParams }: AuditLogPageProps) {
  const { scope, actor } = await requireMember({ role: "admin" });
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Changes to keys, members, the subscription, settings and knowledge. Entries are kept until the company is deleted."
      />
      <Suspense fallback={<AuditTableSkeleton />}>
        <Events scope={scope} actor={actor} searchParams={searchParams} />
      </Suspense>
    </>
  );
}

function AuditTableSkeleton() {
  return (
    <>
      <Skeleton className="h-9 rounded-md max-sm:h-44" />
      <TableSkeleton rows={10} />
    </>
  );
}

async function Events({ scope, actor, searchParams }: AuditLogPageProps & { scope: TenantScope; actor: Actor }) {
  const params = await loadAuditParams(searchParams);
  const { total, page, rows, actors, actions } = await browseAudit(scope, actor, params);
  const hasFilters = Boolean(params.actor || params.action || params.from || params.to);
  return (
    <>
      <AuditFilters
        actors={actors}
        actions={actions.map((action) => ({ id: action, words: actionWords(action) }))}
        total={total}
      />
      {rows.length === 0 ? (
        <EmptyState icon={ScrollText} title={hasFilters ? "No matching changes" : "No changes yet"}>
          {hasFilters
            ? "No changes match these filters. Remove a filter or choose other dates."
            : "Every change appears here, with who made it and when."}
        </EmptyState>
      ) : (
        <AuditTable events={rows} />
      )}
      <Pagination
        page={page}
        pageSize={EVENTS_PER_PAGE}
        total={total}
        href={(to) => `/settings/audit-log${auditQueryString({ ...params, page: to })}`}
      />
    </>
  );
}
