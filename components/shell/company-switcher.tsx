"use client";

import Check from "lucide-react/icons/check";
import ChevronsUpDown from "lucide-react/icons/chevrons-up-down";
import Plus from "lucide-react/icons/plus";
import dynamic from "next/dynamic";
import { useState } from "react";
import { switchCompanyAction } from "@/app/(dashboard)/actions.ts";
import { Badge } from "@/components/ui/badge.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";
import { useAction } from "@/components/use-action.ts";

const CreateCompanyDialog = dynamic(() =>
  import("@/components/shell/create-company-dialog.tsx").then((module) => module.CreateCompanyDialog),
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
      <DropdownMenu>
        <DropdownMenuTrigger
          aria-busy={pending}
          className="flex h-10 w-full items-center gap-2.5 rounded-md border border-border bg-surface px-2 text-left shadow-xs transition-colors hover:bg-hover max-lg:h-11"
        >
          <Initial name={current.name} />
          <span className="sr-only">Company:</span>
          <span className="min-w-0 flex-1 truncate font-medium">{current.name}</span>
          {current.isSample && <Badge tone="accent">Sample</Badge>}
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start" className="w-(--radix-dropdown-menu-trigger-width) min-w-56">
          <DropdownMenuLabel>Companies</DropdownMenuLabel>
          {companies.map(({ id, name }) => (
            <DropdownMenuItem key={id} onSelect={() => id !== current.id && void run({ companyId: id })}>
              <Initial name={name} />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {id === current.id && (
                <>
                  <span className="sr-only">(current)</span>
                  <Check aria-hidden />
                </>
              )}
            </DropdownMenuItem>
          ))}
          {canCreate && (
            <>
              <DropdownMenuSeparator />
              <DropdownMenuItem onSelect={() => setCreating(true)}>
                <Plus aria-hidden />
                Create a company
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {creating && <CreateCompanyDialog onClose={() => setCreating(false)} />}
    </>
  );
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-[5px] bg-accent-soft font-semibold text-accent text-xs"
    >
      {name.trim().charAt(0).toUpperCase()}
    </span>
  );
}
