"use client";

import { useState } from "react";
import { signOutEverywhereAction } from "@/app/(dashboard)/actions.ts";
import { ConfirmDialog } from "@/components/confirm-dialog.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { useAction } from "@/components/use-action.ts";

export function SignOutEverywhere() {
  const [asking, setAsking] = useState(false);
  const { run, pending, error } = useAction(signOutEverywhereAction);
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description="Lost a laptop, or used someone else's? End every session, this one too."
        actions={
          <Button variant="secondary" onClick={() => setAsking(true)}>
            Sign out everywhere
          </Button>
        }
      />
      <CardBody className="pt-0" />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        description="Every browser where you are signed in asks for your password on its next click."
        confirm="Sign out everywhere"
        tone="primary"
        pending={pending}
        error={error}
        onConfirm={() => void run({})}
      />
    </Card>
  );
}
