"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { useAction } from "@/components/use-action.ts";
import type { Invitation } from "@/lib/members/links.ts";
import { withdrawInvitationAction } from "./actions.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const [asked, setAsked] = useState<Invitation | null>(null);
  const { run, pending, error, reset } = useAction(withdrawInvitationAction, {
    success: "Invitation withdrawn",
    onSuccess: () => setAsked(null),
  });
  return (
    <>
      <Table>
        <caption className="sr-only">Pending invitations</caption>
        <TableHead>
          <tr>
            <TableHeader>Email</TableHeader>
            <TableHeader>Role</TableHeader>
            <TableHeader className="max-sm:hidden">Expires</TableHeader>
            <TableHeader className="w-14">
              <span className="sr-only">Actions</span>
            </TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          {invitations.map((invitation) => (
            <TableRow key={invitation.id}>
              <TableCell className="break-all">{invitation.email}</TableCell>
              <TableCell>
                <Badge tone={invitation.role === "admin" ? "accent" : "neutral"}>
                  {invitation.role === "admin" ? "Admin" : "Support"}
                </Badge>
              </TableCell>
              <TableCell className="max-sm:hidden">
                <RelativeTime date={invitation.expiresAt} className="text-muted" />
              </TableCell>
              <TableCell className="text-right">
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Withdraw the invitation for ${invitation.email}`}
                  onClick={() => {
                    reset();
                    setAsked(invitation);
                  }}
                >
                  Withdraw
                </Button>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {asked && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setAsked(null)}
          title="Withdraw the invitation?"
          description={`The link for ${asked.email} stops working. You can invite them again.`}
          confirm="Withdraw"
          pending={pending}
          error={error}
          onConfirm={() => void run({ id: asked.id })}
        />
      )}
    </>
  );
}
