"use client";

import LogOut from "lucide-react/icons/log-out";
import MonitorX from "lucide-react/icons/monitor-x";
import UserRound from "lucide-react/icons/user-round";
import Link from "next/link";
import { useTheme } from "next-themes";
import { useState } from "react";
import { signOutAction, signOutEverywhereAction } from "@/app/(dashboard)/actions.ts";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu.tsx";
import { useAction } from "@/components/use-action.ts";
import type { Role } from "@/lib/db/values.ts";

interface UserMenuProps {
  name: string;
  email: string;
  role: Role;
}

export function UserMenu({ name, email, role }: UserMenuProps) {
  const { theme, setTheme } = useTheme();
  const signOut = useAction(signOutAction, { toastError: true });
  const everywhere = useAction(signOutEverywhereAction);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger className="flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover">
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-primary font-medium text-primary-foreground text-xs"
          >
            {initials(name)}
          </span>
          <span className="sr-only">Your account:</span>
          <span className="grid min-w-0 leading-tight">
            <span className="truncate font-medium">{name}</span>
            <span className="truncate text-muted text-xs">{role === "admin" ? "Admin" : "Support"}</span>
          </span>
        </DropdownMenuTrigger>
        <DropdownMenuContent side="top" align="start" className="w-60">
          <DropdownMenuLabel className="truncate">{email}</DropdownMenuLabel>
          <DropdownMenuItem asChild>
            <Link href="/settings/profile">
              <UserRound aria-hidden />
              Profile
            </Link>
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuLabel>Theme</DropdownMenuLabel>
          <DropdownMenuRadioGroup value={theme ?? "system"} onValueChange={setTheme}>
            <DropdownMenuRadioItem value="light">Light</DropdownMenuRadioItem>
            <DropdownMenuRadioItem value="dark">Dark</DropdownMenuRadioItem>
            <DropdownMenuRadioItem value="system">As the system</DropdownMenuRadioItem>
          </DropdownMenuRadioGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => void signOut.run({})}>
            <LogOut aria-hidden />
            Sign out
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => setAsking(true)}>
            <MonitorX aria-hidden />
            Sign out everywhere
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        description="Every browser where you are signed in, this one too, asks for your password on its next click."
        confirm="Sign out everywhere"
        tone="primary"
        pending={everywhere.pending}
        error={everywhere.error}
        onConfirm={() => void everywhere.run({})}
      />
    </>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => word?.charAt(0).toUpperCase()).join("");
}
