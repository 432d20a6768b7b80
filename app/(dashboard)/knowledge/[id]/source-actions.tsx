"use client";

import RefreshCw from "lucide-react/icons/refresh-cw";
import Trash from "lucide-react/icons/trash-2";
import { Button } from "@/components/ui/button.tsx";
import { useSourceActions } from "../use-source-actions.ts";

export function SourceActions({ id }: { id: string }) {
  const { remove, reindex } = useSourceActions();
  return (
    <>
      <Button variant="secondary" pending={reindex.pending} onClick={() => void reindex.run({ ids: [id] })}>
        <RefreshCw aria-hidden />
        Re-index
      </Button>
      <Button variant="secondary" pending={remove.pending} onClick={() => void remove.run({ ids: [id] })}>
        <Trash aria-hidden />
        Delete
      </Button>
    </>
  );
}
