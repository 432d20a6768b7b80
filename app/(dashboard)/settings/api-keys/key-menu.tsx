"use client";

import Ellipsis from "lucide-react/icons/ellipsis";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";
import type { KeyChange } from "./key-dialogs.tsx";
import type { KeySummary } from "./key-row.ts";

interface KeyMenuProps {
  apiKey: KeySummary;
  id: string;
  onAsk: (change: KeyChange) => void;
}

export function KeyMenu({ apiKey, id, onAsk }: KeyMenuProps) {
  const alive = apiKey.status === "active" || apiKey.status === "retiring";
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button id={id} variant="ghost" size="icon-sm" aria-label={`Actions for ${apiKey.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <Link href={`/settings/api-keys/${apiKey.id}`}>Calls and details</Link>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => onAsk("rename")}>Rename</DropdownMenuItem>
        {apiKey.status === "active" && <DropdownMenuItem onSelect={() => onAsk("rotate")}>Rotate</DropdownMenuItem>}
        {alive && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem destructive onSelect={() => onAsk("revoke")}>
              Revoke
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
