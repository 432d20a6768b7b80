"use client";

import Download from "lucide-react/icons/download";
import Ellipsis from "lucide-react/icons/ellipsis";
import Upload from "lucide-react/icons/upload";
import { useCompanyId } from "@/components/company-context.tsx";
import { MenuButton } from "@/components/menu-button.tsx";
import { buttonStyle } from "@/components/ui/button.tsx";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";

export function KnowledgeMenu() {
  const companyId = useCompanyId();
  return (
    <MenuButton
      aria-label="Actions for the knowledge base"
      align="end"
      className={buttonStyle({ variant: "secondary", size: "icon" })}
      entries={[
        {
          kind: "item",
          label: "Export everything",
          icon: Download,
          // downloads a file, so the page stays
          onSelect: () => window.location.assign(`/knowledge/export?${COMPANY_PARAM}=${companyId}`),
        },
        { kind: "link", label: "Import an export", icon: Upload, href: "/knowledge/add?tab=export" },
      ]}
    >
      <Ellipsis aria-hidden />
    </MenuButton>
  );
}
