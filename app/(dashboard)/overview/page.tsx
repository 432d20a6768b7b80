import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { SampleNotice } from "@/components/shell/sample-notice.tsx";
import { requireMember } from "@/lib/auth/session.ts";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { company, role } = await requireMember();
  return (
    <>
      <PageHeader title="Overview" description={company.name} />
      {company.isSample && <SampleNotice canCreate={role === "admin"} />}
    </>
  );
}
