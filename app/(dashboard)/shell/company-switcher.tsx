"use client";

import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { switchCompanyAction } from "@/app/(dashboard)/actions.ts";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { MenuButton } from "@/components/menu-button.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { useAction } from "@/components/use-action.ts";

const CreateCompanyDialog = lazyComponent(() =>
  import("@/app/(dashboard)/shell/create-company-dialog.tsx").then((module) => module.CreateCompanyDialog),
);

interface Company {
  id: string;
  name: string;
  isSample: boolean;
}

interface CompanySwitcherProps {
  current: Company;
  companies: Company[];
  canCreate: boolean;
}

export function CompanySwitcher({ current, companies, canCreate }: CompanySwitcherProps) {
  const { run, pending } = useAction(switchCompanyAction, { toastError: true });
  const [creating, setCreating] = useState(false);
  return (
    <>
      <MenuButton
        aria-busy={pending}
        className="flex h-10 w-full items-center gap-2.5 rounded-md border border-border bg-surface px-2 text-left shadow-xs transition-colors hover:bg-hover max-lg:h-11"
        menuClassName="w-56"
        entries={[
          { kind: "heading", label: "Companies" },
          ...companies.map(({ id, name }) => ({
            kind: "choice" as const,
            label: name,
            checked: id === current.id,
            onSelect: () => {
              if (id !== current.id) void run({ companyId: id });
            },
          })),
          ...(canCreate
            ? ([
                { kind: "separator" },
                { kind: "item", label: "Create a company", icon: Plus, onSelect: () => setCreating(true) },
              ] as const)
            : []),
        ]}
      >
        <span
          aria-hidden
          className="grid size-6 shrink-0 place-items-center rounded-[5px] bg-accent-soft font-semibold text-accent text-xs"
        >
          {current.name.trim().charAt(0).toUpperCase()}
        </span>
        <span className="sr-only">Company:</span>
        <span className="min-w-0 flex-1 truncate font-medium">{current.name}</span>
        {current.isSample && <Badge tone="accent">Sample</Badge>}
        <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
      </MenuButton>
      {creating && <CreateCompanyDialog onClose={() => setCreating(false)} />}
    </>
  );
}
