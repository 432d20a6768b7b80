"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardSplit } from "@/components/ui/card.tsx";
import { useAction } from "@/components/use-action.ts";
import { deleteCompanyAction } from "./actions.ts";

const ConfirmDialog = lazyComponent(() =>
  import("@/components/confirm-dialog.tsx").then((module) => module.ConfirmDialog),
);

interface DeleteCompanyProps {
  name: string;
  isSample: boolean;
  /** Whether this is the person's only company. */
  isOnly: boolean;
  /** Whether the person may create another company. */
  canCreate: boolean;
}

export function DeleteCompany({ name, isSample, isOnly, canCreate }: DeleteCompanyProps) {
  const [asking, setAsking] = useState(false);
  const { run, pending, error } = useAction(deleteCompanyAction);
  const verb = isSample ? "Delete the sample" : "Delete the company";
  return (
    <Card className="border-danger/40">
      <CardSplit
        title={verb}
        description="Deletes its knowledge, original files, keys, members' access, subscription and logs. This cannot be undone. Export the knowledge first if you might need it."
      >
        {isOnly ? (
          <p className="text-muted">
            {canCreate
              ? "You cannot delete your only company. Create another one first, from the menu at the top left."
              : "You cannot delete your only company. Ask the operator of this server to delete it."}
          </p>
        ) : (
          <Button variant="danger" className="w-fit lg:justify-self-end" onClick={() => setAsking(true)}>
            {verb}
          </Button>
        )}
      </CardSplit>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title={`Delete ${name}?`}
          description={
            <>
              <p>The API will refuse every system that uses its keys, starting now. This cannot be undone.</p>
              {pending && <p role="status">Deleting. A large knowledge base takes a minute; leave this page open.</p>}
            </>
          }
          confirm={verb}
          typed={name}
          pending={pending}
          error={error}
          onConfirm={() => void run({ name })}
        />
      )}
    </Card>
  );
}
