"use client";

import LogOut from "lucide-react/icons/log-out";
import MonitorX from "lucide-react/icons/monitor-x";
import UserRound from "lucide-react/icons/user-round";
import { useTheme } from "next-themes";
import { useState } from "react";
import { signOutAction } from "@/app/(dashboard)/actions.ts";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { MenuButton } from "@/components/menu-button.tsx";
import { useAction } from "@/components/use-action.ts";
import type { Role } from "@/lib/db/column-values.ts";

const SignOutEverywhereDialog = lazyComponent(() =>
  import("@/app/(dashboard)/shell/sign-out-everywhere-dialog.tsx").then((module) => module.SignOutEverywhereDialog),
);

const THEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "system", label: "System" },
] as const;

interface UserMenuProps {
  name: string;
  email: string;
  role: Role;
}

export function UserMenu({ name, email, role }: UserMenuProps) {
  const { theme, setTheme } = useTheme();
  const signOut = useAction(signOutAction, { toastError: true });
  const [asking, setAsking] = useState(false);
  return (
    <>
      <MenuButton
        side="top"
        menuClassName="w-56"
        className="flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-left transition-colors hover:bg-hover"
        entries={[
          { kind: "heading", label: email },
          { kind: "link", label: "Profile", icon: UserRound, href: "/settings/profile" },
          { kind: "separator" },
          { kind: "heading", label: "Theme" },
          ...THEMES.map(({ value, label }) => ({
            kind: "choice" as const,
            label,
            checked: theme === value,
            onSelect: () => setTheme(value),
          })),
          { kind: "separator" },
          { kind: "item", label: "Sign out", icon: LogOut, onSelect: () => void signOut.run({}) },
          { kind: "item", label: "Sign out everywhere", icon: MonitorX, onSelect: () => setAsking(true) },
        ]}
      >
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
      </MenuButton>
      {asking && <SignOutEverywhereDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => word?.charAt(0).toUpperCase()).join("");
}
