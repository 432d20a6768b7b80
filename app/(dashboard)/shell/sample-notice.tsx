"use client";

import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";

const CreateCompanyDialog = lazyComponent(() =>
  import("@/app/(dashboard)/shell/create-company-dialog.tsx").then((module) => module.CreateCompanyDialog),
);

/** Explains the sample company on its overview, and offers to create a company. */
export function SampleNotice({ canCreate }: { canCreate: boolean }) {
  const [creating, setCreating] = useState(false);
  return (
    <aside
      aria-label="About the sample"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-border bg-accent-soft px-5 py-4"
    >
      <div className="grid max-w-prose gap-0.5">
        <p className="font-medium">This is a sample company</p>
        <p className="text-muted">
          This company and its documents are fictional. Try questions in the playground
          {canCreate && ", then create your own company and add your knowledge"}.
        </p>
      </div>
      {canCreate && <Button onClick={() => setCreating(true)}>Create my company</Button>}
      {creating && <CreateCompanyDialog onClose={() => setCreating(false)} />}
    </aside>
  );
}
