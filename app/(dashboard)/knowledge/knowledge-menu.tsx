"use client";

import Download from "lucide-react/icons/download";
import Ellipsis from "lucide-react/icons/ellipsis";
import Upload from "lucide-react/icons/upload";
import Link from "next/link";
import { Button } from "@/components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";

export function KnowledgeMenu() {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="icon" aria-label="Actions for the knowledge base">
          <Ellipsis aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          {/* no link of the router: what comes is a file */}
          <a href="/knowledge/export" download>
            <Download aria-hidden />
            Export everything
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href="/knowledge/add?tab=export">
            <Upload aria-hidden />
            Import an export
          </Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
