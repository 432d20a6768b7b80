import type { Operation } from "@/lib/openapi/reference.ts";
import { anchorOf } from "./anchor-of.ts";

const GROUPS = [
  { title: "Sources", prefix: "/v1/api/sources" },
  { title: "Dify", prefix: "/v1/api/dify" },
  { title: "OpenAI", prefix: "/v1/api/openai" },
  { title: "Search", prefix: "/" },
];

function titleOf({ path }: Operation): string {
  return GROUPS.find(({ prefix }) => path.startsWith(prefix))?.title ?? "";
}

/** Links to the sections. On a narrow screen they are collapsed. */
export function SideNav({ operations }: { operations: Operation[] }) {
  const groups = [...Map.groupBy(operations, titleOf)].map(([title, own]) => ({
    title,
    links: own.map((operation) => ({ href: `#${anchorOf(operation)}`, label: operation.summary })),
  }));
  const all = [...groups, { title: "Errors", links: [{ href: "#errors", label: "All errors" }] }];
  return (
    <>
      <nav aria-label="On this page" className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto max-lg:hidden">
        <Links groups={all} />
      </nav>
      <details className="rounded-md border border-border px-4 py-3 lg:hidden">
        <summary className="cursor-pointer font-medium">On this page</summary>
        <nav aria-label="On this page" className="pt-3">
          <Links groups={all} />
        </nav>
      </details>
    </>
  );
}

function Links({ groups }: { groups: { title: string; links: { href: string; label: string }[] }[] }) {
  return (
    <ul className="grid gap-5 text-sm">
      {groups.map(({ title, links }) => (
        <li key={title} className="grid gap-1">
          <p className="font-medium">{title}</p>
          <ul className="grid">
            {links.map(({ href, label }) => (
              <li key={href}>
                <a href={href} className="block rounded-sm py-1 text-muted hover:text-foreground max-lg:py-2">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
