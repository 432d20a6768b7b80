"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFollowCompany } from "@/components/use-follow-company.ts";

const CompanyContext = createContext<string | undefined>(undefined);

/** Which company the page shows: every action says so, and is refused when the session has moved on to another. */
export function CompanyProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  useFollowCompany(companyId);
  return <CompanyContext value={companyId}>{children}</CompanyContext>;
}

export function useCompanyId(): string | undefined {
  return useContext(CompanyContext);
}
