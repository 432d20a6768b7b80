import Download from "lucide-react/icons/download";
import type { Metadata } from "next";
import Link from "next/link";
import type { SearchParams } from "nuqs/server";
import { RememberQuery } from "@/components/list-query.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Pagination } from "@/components/pagination.tsx";
import { Button } from "@/components/ui/button.tsx";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany } from "@/lib/companies/service.ts";
import { counted } from "@/lib/counted.ts";
import { countWaiting } from "@/lib/usage/count-waiting.ts";
import { listRequests } from "@/lib/usage/log.ts";
import { REQUESTS_PER_PAGE } from "@/lib/usage/log-filter.ts";
import { keyChoices } from "../../key-choices.ts";
import { loadLogParams, logQueryString, toLogFilter } from "../../search-params.ts";
import { UsageFilters } from "../../usage-filters.tsx";
import { UsageTabs } from "../../usage-tabs.tsx";
import { RequestFilters } from "../request-filters.tsx";
import { RequestTable } from "../request-table.tsx";

export const metadata: Metadata = { title: "Requests" };

export default async function RequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { scope, actor, role } = await requireMember();
  const params = await loadLogParams(searchParams);
  const download = `/usage/requests/csv?${COMPANY_PARAM}=${scope.companyId}`;
  const [found, keys, waiting, company] = await Promise.all([
    listRequests(scope, actor, toLogFilter(params), params.page),
    keyChoices(scope, actor),
    countWaiting(scope, actor),
    getCompany(scope, actor),
  ]);
  return (
    <>
      <RememberQuery list="/usage/requests" />
      <PageHeader
        title="Requests"
        description="Every API response has a request ID in its X-Request-Id header. Look it up here when someone reports a problem."
        actions={
          <Button variant="secondary" asChild>
            <a href={logQueryString(download, { ...params, page: null })} download>
              <Download aria-hidden />
              CSV
            </a>
          </Button>
        }
      />
      <UsageTabs here="requests" filter={params} waiting={waiting} />
      <RequestFilters total={found.total}>
        <UsageFilters keys={keys} />
      </RequestFilters>
      <RequestTable requests={found.rows} />
      <Pagination
        page={found.page}
        pageSize={REQUESTS_PER_PAGE}
        total={found.total}
        href={(page) => `/usage/requests${logQueryString({ ...params, page })}`}
      />
      <p className="text-muted text-sm">
        Requests stay here for {counted(company.queryRetentionDays, "day")};{" "}
        {company.hashQueries ? "only hashes of questions are kept" : "questions are kept as text"}. Context about
        clients is never stored. Refused calls that ask no question are listed, but do not count in the figures.{" "}
        {role === "admin" && (
          <Link href="/settings/company" className="text-accent underline underline-offset-4">
            Change what is kept
          </Link>
        )}
      </p>
    </>
  );
}
