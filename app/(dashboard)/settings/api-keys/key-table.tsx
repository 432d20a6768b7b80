"use client";

import ChevronRight from "lucide-react/icons/chevron-right";
import Link from "next/link";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { cn } from "@/components/cn.ts";
import { DataTable, tableColumns } from "@/components/data-table.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { AbsoluteTime, RelativeTime } from "@/components/relative-time.tsx";
import { Sparkline } from "@/components/sparkline.tsx";
import { Input } from "@/components/ui/input.tsx";
import { describePolicy } from "@/lib/api-keys/describe-policy.ts";
import { describeScopes } from "@/lib/api-keys/describe-scopes.ts";
import { counted } from "@/lib/counted.ts";
import { ExpiryList } from "./expiry-notice.tsx";
import type { KeyChange } from "./key-dialogs.tsx";
import { KeyMenu } from "./key-menu.tsx";
import { expiresSoon, isIdle, isInactive, type KeyRow } from "./key-row.ts";
import { KeyStatus } from "./key-status.tsx";

const KeyDialog = lazyComponent(() => import("./key-dialogs.tsx").then((module) => module.KeyDialog));

/** Number of keys from which the search field is shown. */
const SEARCH_FROM = 10;
const column = tableColumns<KeyRow>();

export function KeyTable({ keys, publicUrl }: { keys: KeyRow[]; publicUrl: string }) {
  const [asked, setAsked] = useState<{ change: KeyChange; key: KeyRow } | null>(null);
  const [query, setQuery] = useQueryState("q", parseAsString.withDefault(""));
  const columns = useMemo(() => keyColumns((change, key) => setAsked({ change, key })), []);
  const { current, inactive } = useMemo(() => {
    const found = keys.filter(({ name, maskedToken }) => matches(query, name, maskedToken));
    return { current: found.filter((key) => !isInactive(key)), inactive: found.filter(isInactive) };
  }, [keys, query]);
  return (
    <>
      <ExpiryList keys={keys} />
      {keys.length > SEARCH_FROM && (
        <Input
          type="search"
          aria-label="Search keys"
          placeholder="Search by name or last 4 characters"
          value={query}
          onChange={({ target }) => void setQuery(target.value || null)}
          className="sm:max-w-xs"
        />
      )}
      <DataTable
        caption="Active and expired API keys"
        columns={columns}
        data={current}
        getRowId={({ id }) => id}
        initialSorting={[{ id: "createdAt", desc: true }]}
        empty={query ? "No active key matches." : "No active keys."}
      />
      {inactive.length > 0 && (
        <details className="group grid gap-3">
          <summary className="flex w-fit list-none items-center gap-1.5 rounded-sm text-muted text-sm hover:text-foreground max-sm:min-h-11">
            <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden />
            {counted(inactive.length, "expired or revoked key")}
          </summary>
          <div className="pt-3">
            <DataTable
              caption="Revoked and replaced keys"
              columns={columns}
              data={inactive}
              getRowId={({ id }) => id}
              initialSorting={[{ id: "createdAt", desc: true }]}
            />
          </div>
        </details>
      )}
      {asked && (
        <KeyDialog change={asked.change} apiKey={asked.key} publicUrl={publicUrl} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

function matches(query: string, ...texts: string[]): boolean {
  return texts.some((text) => text.toLowerCase().includes(query.trim().toLowerCase()));
}

function keyColumns(onAsk: (change: KeyChange, key: KeyRow) => void) {
  return column.columns([
    column.accessor("name", {
      header: "Name",
      sortFn: "text",
      cell: ({ row: { original } }) => <NameCell apiKey={original} />,
    }),
    column.accessor("status", {
      header: "Status",
      sortFn: "text",
      meta: { className: "max-md:hidden" },
      cell: ({ getValue }) => <KeyStatus status={getValue()} />,
    }),
    column.display({
      id: "access",
      header: "Access",
      meta: { className: "max-lg:hidden" },
      cell: ({ row: { original } }) => <PolicyCell apiKey={original} />,
    }),
    column.accessor(({ lastUsedAt }) => lastUsedAt?.getTime() ?? 0, {
      id: "lastUsedAt",
      header: "Last used",
      sortFn: "basic",
      meta: { className: "max-sm:hidden" },
      cell: ({ row: { original } }) => <LastUsedCell apiKey={original} />,
    }),
    column.accessor(({ expiresAt }) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER, {
      id: "expiresAt",
      header: "Expires",
      sortFn: "basic",
      meta: { className: "max-md:hidden" },
      cell: ({ row: { original } }) => <ExpiresCell apiKey={original} />,
    }),
    column.accessor("createdAt", {
      header: "Created",
      sortFn: "datetime",
      meta: { className: "max-xl:hidden" },
      cell: ({ row: { original } }) => (
        <div className="grid whitespace-nowrap leading-snug">
          <AbsoluteTime date={original.createdAt} />
          <span className="max-w-36 truncate text-muted text-sm" title={original.createdByName}>
            by {original.createdByName}
          </span>
        </div>
      ),
    }),
    column.display({
      id: "actions",
      header: () => <span className="sr-only">Actions</span>,
      meta: { className: "w-14 text-right" },
      cell: ({ row: { original } }) => <KeyMenu apiKey={original} onAsk={(change) => onAsk(change, original)} />,
    }),
  ]);
}

function NameCell({ apiKey }: { apiKey: KeyRow }) {
  return (
    <div className="grid min-w-56 justify-items-start gap-1 py-1 leading-snug">
      <Link
        href={`/settings/api-keys/${apiKey.id}`}
        className={cn(
          "wrap-anywhere font-medium underline-offset-4 hover:underline",
          isInactive(apiKey) && "text-muted",
        )}
      >
        {apiKey.name}
      </Link>
      <code className="whitespace-nowrap font-mono text-muted text-xs">{apiKey.maskedToken}</code>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 md:hidden">
        <KeyStatus status={apiKey.status} />
        <span className="text-muted text-sm sm:hidden">
          {apiKey.lastUsedAt ? (
            <>
              used <RelativeTime date={apiKey.lastUsedAt} />
            </>
          ) : (
            "never used"
          )}
        </span>
      </div>
    </div>
  );
}

function PolicyCell({ apiKey }: { apiKey: KeyRow }) {
  const sentences = describePolicy(apiKey.policy);
  const access = sentences.length === 0 ? "Everything" : sentences.join(". ");
  return (
    <div className="grid max-w-56 text-sm">
      <span>{describeScopes(apiKey.scopes)}</span>
      <span className="line-clamp-2 text-muted" title={`${sentences.join(".\n")}.`}>
        {access}
      </span>
    </div>
  );
}

function LastUsedCell({ apiKey }: { apiKey: KeyRow }) {
  const idle = !isInactive(apiKey) && isIdle(apiKey);
  return (
    <div className="grid whitespace-nowrap leading-snug">
      {apiKey.lastUsedAt ? <RelativeTime date={apiKey.lastUsedAt} /> : <span className="text-muted">Never</span>}
      {idle && <span className="text-sm text-warning">Not used recently</span>}
      {apiKey.activity && <Sparkline label={activityWords(apiKey.activity)} values={apiKey.activity} />}
    </div>
  );
}

function activityWords(activity: number[]): string {
  const requests = activity.reduce((sum, each) => sum + each, 0);
  return `${counted(requests, "request")} in the last ${counted(activity.length, "day")}`;
}

function ExpiresCell({ apiKey }: { apiKey: KeyRow }) {
  if (apiKey.revokedAt) return <span className="text-muted">–</span>;
  if (!apiKey.expiresAt) return <span className="text-muted">Never</span>;
  return (
    <div className="grid whitespace-nowrap leading-snug">
      <AbsoluteTime date={apiKey.expiresAt} />
      {(expiresSoon(apiKey) || apiKey.status === "retiring") && (
        <span className="text-sm text-warning">
          expires <RelativeTime date={apiKey.expiresAt} />
        </span>
      )}
    </div>
  );
}
