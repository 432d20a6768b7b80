"use client";

import { createContext, type ReactNode, type RefObject, useContext } from "react";
import { useFollowCompany } from "@/components/use-follow-company.ts";

const CompanyContext = createContext<string | undefined>(undefined);
const StaleContext = createContext<RefObject<boolean>>({ current: false });

/** The page's company. Actions send its id, and the server refuses them if the session has another company by now. */
export function CompanyProvider({ companyId, children }: { companyId: string; children: ReactNode }) {
  const isStale = useFollowCompany(companyId);
  return (
    <CompanyContext value={companyId}>
      <StaleContext value={isStale}>{children}</StaleContext>
    </CompanyContext>
  );
}

export function useCompanyId(): string | undefined {
  return useContext(CompanyContext);
}

/** Whether another tab has switched the company. A refresh would move what is typed here into that company. */
export function useIsStale(): RefObject<boolean> {
  return useContext(StaleContext);
}
