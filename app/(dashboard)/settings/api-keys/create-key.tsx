"use client";

import Plus from "lucide-react/icons/plus";
import { useRouter } from "next/navigation";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { CreatedKey } from "@/lib/api-keys/service.ts";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";

const CreateKeyDialog = lazyComponent(() => import("./create-key-dialog.tsx").then((module) => module.CreateKeyDialog));

/** Opening adds a history entry, so that Back closes the dialog. */
const createParser = parseAsStringLiteral(["1"]).withOptions({ history: "push" });

/** The page's primary button and its dialog, which `?create=1` opens too. */
export function CreateKey({ labels, publicUrl }: { labels: Labels; publicUrl: string }) {
  const router = useRouter();
  const [open, setOpen] = useQueryState("create", createParser);
  // the only copy of the token: it stays until the dialog closes, even after Back
  const [created, setCreated] = useState<CreatedKey | null>(null);

  function close(): void {
    // adds no entry, so that Back does not open the dialog again
    void setOpen(null, { history: "replace" });
    if (!created) return;
    setCreated(null);
    // not earlier: re-rendering the page under the dialog could discard the token
    router.refresh();
  }

  return (
    <>
      <OpenCreateKey />
      {(open || created) && (
        <CreateKeyDialog
          labels={labels}
          publicUrl={publicUrl}
          created={created}
          onCreated={setCreated}
          onClose={close}
        />
      )}
    </>
  );
}

export function OpenCreateKey() {
  const [, setOpen] = useQueryState("create", createParser);
  return (
    <Button onClick={() => void setOpen("1")}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
}
