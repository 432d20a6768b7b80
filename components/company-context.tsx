"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFollowCompany } from "@/components/use-follow-company.ts";

const CompanyContext = createContext<string | undefined>(undefined);

/** The page's company. Actions send its id, and the server refuses them if the session has another company by now. */
export function CompanyProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  useFollowCompany(companyId);
  return <CompanyContext value={companyId}>{children}</CompanyContext>;
}

export function useCompanyId(): string | undefined {
  return useContext(CompanyContext);
}
