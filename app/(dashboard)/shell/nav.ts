import type { Role } from "@/lib/db/column-values.ts";

export interface NavItem {
  href: string;
  label: string;
  icon:
    | "overview"
    | "knowledge"
    | "playground"
    | "usage"
    | "keys"
    | "connect"
    | "subscription"
    | "members"
    | "company"
    | "audit";
}

export interface NavGroup {
  title: string | null;
  items: NavItem[];
}

const WORK: NavGroup = {
  title: null,
  items: [
    { href: "/overview", label: "Overview", icon: "overview" },
    { href: "/knowledge", label: "Knowledge", icon: "knowledge" },
    { href: "/playground", label: "Playground", icon: "playground" },
    { href: "/usage", label: "Usage", icon: "usage" },
  ],
};

const SETTINGS: NavGroup = {
  title: "Settings",
  items: [
    { href: "/settings/api-keys", label: "API Keys", icon: "keys" },
    { href: "/settings/connect", label: "Connect", icon: "connect" },
    { href: "/settings/subscription", label: "Subscription", icon: "subscription" },
    { href: "/settings/members", label: "Members", icon: "members" },
    { href: "/settings/company", label: "Company", icon: "company" },
    { href: "/settings/audit-log", label: "Audit log", icon: "audit" },
  ],
};

/** The links that a role sees in the sidebar. Each page checks the role itself. */
export function navigation(role: Role): NavGroup[] {
  return role === "admin" ? [WORK, SETTINGS] : [WORK];
}
