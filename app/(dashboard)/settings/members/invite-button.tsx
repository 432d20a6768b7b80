"use client";

import Plus from "lucide-react/icons/plus";
import { parseAsBoolean, useQueryState } from "nuqs";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const InviteDialog = lazyComponent(() => import("./invite-dialog.tsx").then((module) => module.InviteDialog));

export function InviteButton() {
  const [open, setOpen] = useQueryState("invite", parseAsBoolean.withDefault(false));
  return (
    <>
      <Button onClick={() => void setOpen(true)}>
        <Plus aria-hidden />
        Invite
      </Button>
      {open && <InviteDialog onClose={() => void setOpen(null)} />}
    </>
  );
}
