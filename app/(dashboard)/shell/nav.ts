import { counted } from "@/lib/counted.ts";
import type { Role } from "@/lib/db/column-values.ts";
import type { Waiting } from "@/lib/usage/count-waiting.ts";

export interface NavItem {
  href: string;
  label: string;
  icon:
    | "overview"
    | "knowledge"
    | "playground"
    | "usage"
    | "tests"
    | "keys"
    | "connect"
    | "subscription"
    | "members"
    | "company"
    | "retrieval"
    | "audit";
  /** Number of items that need attention, with their name. */
  waiting?: { count: number; name: string };
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
    { href: "/test-questions", label: "Test questions", icon: "tests" },
  ],
};

const RETRIEVAL: NavItem = { href: "/settings/retrieval", label: "Retrieval", icon: "retrieval" };

const SETTINGS: NavGroup = {
  title: "Settings",
  items: [
    { href: "/settings/api-keys", label: "API Keys", icon: "keys" },
    { href: "/settings/connect", label: "Connect", icon: "connect" },
    { href: "/settings/subscription", label: "Subscription", icon: "subscription" },
    { href: "/settings/members", label: "Members", icon: "members" },
    { href: "/settings/company", label: "Company", icon: "company" },
    RETRIEVAL,
    { href: "/settings/audit-log", label: "Audit log", icon: "audit" },
  ],
};

const SUPPORT_SETTINGS: NavGroup = { title: "Settings", items: [RETRIEVAL] };

/** The links that a role sees in the sidebar. Each page checks the role itself. */
export function navigation(role: Role, waiting?: Waiting): NavGroup[] {
  const items = WORK.items.map((item) => ({ ...item, ...(waiting && waitingAt(item, waiting)) }));
  const work = { ...WORK, items };
  return role === "admin" ? [work, SETTINGS] : [work, SUPPORT_SETTINGS];
}

/** A page that the search finds by its name. */
export type FindablePage = Pick<NavItem, "href" | "label">;

const SUB_PAGES: FindablePage[] = [
  { href: "/usage/requests", label: "Requests" },
  { href: "/usage/unanswered", label: "Unanswered questions" },
  { href: "/usage/reports", label: "Reported answers" },
  { href: "/knowledge/suggestions", label: "Suggestions" },
  { href: "/settings/profile", label: "Profile" },
  { href: "/docs", label: "API reference" },
];

const ADMIN_SUB_PAGES: FindablePage[] = [{ href: "/knowledge/add", label: "Add knowledge" }];

/** The pages that the search offers to a role: those of the sidebar, and those below them. */
export function findablePages(role: Role): FindablePage[] {
  const shown = navigation(role).flatMap(({ items }) => items);
  return [...shown, ...SUB_PAGES, ...(role === "admin" ? ADMIN_SUB_PAGES : [])];
}

function waitingAt(
  { icon }: NavItem,
  { reports, unanswered, suggestions, reviews }: Waiting,
): Pick<NavItem, "waiting"> {
  const parts: [number, string][] =
    icon === "usage"
      ? [
          [reports, counted(reports, "open report")],
          [unanswered, counted(unanswered, "unanswered question")],
        ]
      : icon === "knowledge"
        ? [
            [suggestions, counted(suggestions, "suggestion")],
            [reviews, `${counted(reviews, "verified answer")} due for review`],
          ]
        : [];
  const count = parts.reduce((sum, [each]) => sum + each, 0);
  const names = parts.flatMap(([each, words]) => (each > 0 ? words : []));
  return count > 0 ? { waiting: { count, name: names.join(", ") } } : {};
}
