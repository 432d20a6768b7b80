import { CopyButton } from "@/components/copy-button.tsx";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import type { CompanyId } from "@/lib/db/tenant.ts";
import { env } from "@/lib/env.ts";

interface CopyLinkProps {
  path: string;
  companyId: CompanyId;
}

/** Copies a link that also carries the company, so that a member of several companies reaches the right one. */
export function CopyLink({ path, companyId }: CopyLinkProps) {
  return (
    <CopyButton text={`${env().publicUrl}${path}?${COMPANY_PARAM}=${companyId}`} label="Copy link" labelled="sm" />
  );
}
