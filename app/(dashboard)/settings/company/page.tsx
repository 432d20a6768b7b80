import type { Metadata } from "next";
import { PageHeader } from "@/components/page-header.tsx";
import { requireMember } from "@/lib/auth/session.ts";
import { getCompany, mayCreateCompany } from "@/lib/companies/service.ts";
import { KnowledgeForm, NameForm } from "./company-forms.tsx";
import { DeleteCompany } from "./delete-company.tsx";

export const metadata: Metadata = { title: "Company" };

export default async function CompanyPage() {
  const { scope, actor, companies } = await requireMember({ role: "admin" });
  const { id, name, isSample, defaultAudience, queryRetentionDays, hashQueries, keepAnswers } = await getCompany(
    scope,
    actor,
  );
  return (
    <>
      <PageHeader title="Company" description="Name, defaults and log settings." />
      <NameForm id={id} name={name} />
      <KnowledgeForm settings={{ defaultAudience, queryRetentionDays, hashQueries, keepAnswers }} />
      <DeleteCompany
        name={name}
        isSample={isSample}
        isOnly={companies.length === 1}
        canCreate={mayCreateCompany(actor)}
      />
    </>
  );
}
