"use client";

import { useMemo, useState } from "react";
import { DataTable, tableColumns } from "@/components/data-table.tsx";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { RowMenu } from "@/components/row-menu.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import type { MemberRow } from "@/lib/members/service.ts";
import type { MemberChange } from "./member-dialogs.tsx";

const MemberDialog = lazyComponent(() => import("./member-dialogs.tsx").then((module) => module.MemberDialog));

interface MemberTableProps {
  members: MemberRow[];
  /** The id of the signed-in user. */
  self: string;
}

const column = tableColumns<MemberRow>();

export function MemberTable({ members, self }: MemberTableProps) {
  const [asked, setAsked] = useState<{ change: MemberChange; member: MemberRow } | null>(null);
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor("name", {
          header: "Name",
          sortFn: "text",
          cell: ({ row: { original } }) => <Person member={original} self={self} />,
        }),
        column.accessor("role", {
          header: "Role",
          sortFn: "text",
          cell: ({ getValue }) => (
            <Badge tone={getValue() === "admin" ? "accent" : "neutral"}>
              {getValue() === "admin" ? "Admin" : "Support"}
            </Badge>
          ),
        }),
        column.accessor("joinedAt", {
          header: "Joined",
          sortFn: "datetime",
          meta: { className: "max-sm:hidden" },
          cell: ({ getValue }) => <AbsoluteTime date={getValue()} className="text-muted" />,
        }),
        column.display({
          id: "actions",
          header: () => <span className="sr-only">Actions</span>,
          enableSorting: false,
          meta: { className: "w-14 text-right" },
          cell: ({ row: { original } }) => (
            <Actions member={original} self={self} onAsk={(change) => setAsked({ change, member: original })} />
          ),
        }),
      ]),
    [self],
  );
  return (
    <>
      <DataTable
        caption="Members of the company"
        columns={columns}
        data={members}
        getRowId={({ userId }) => userId}
        initialSorting={[{ id: "joinedAt", desc: false }]}
      />
      {asked && (
        <MemberDialog
          change={asked.change}
          member={asked.member}
          isSelf={asked.member.userId === self}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function Person({ member, self }: { member: MemberRow; self: string }) {
  return (
    <div className="grid min-w-0 leading-snug">
      <span className="flex items-center gap-2 font-medium">
        {member.name}
        {member.userId === self && <Badge>You</Badge>}
      </span>
      <span className="break-all text-muted text-sm">{member.email}</span>
    </div>
  );
}

interface ActionsProps {
  member: MemberRow;
  self: string;
  onAsk: (change: MemberChange) => void;
}

function Actions({ member, self, onAsk }: ActionsProps) {
  const isSelf = member.userId === self;
  return (
    <RowMenu
      label={`Actions for ${member.name}`}
      entries={[
        {
          kind: "item",
          label: member.role === "admin" ? "Make support" : "Make admin",
          onSelect: () => onAsk("role"),
        },
        ...(isSelf ? [] : [{ kind: "item" as const, label: "Create password link", onSelect: () => onAsk("reset") }]),
        { kind: "separator" },
        {
          kind: "item",
          label: isSelf ? "Leave the company" : "Remove",
          destructive: true,
          onSelect: () => onAsk("remove"),
        },
      ]}
    />
  );
}
