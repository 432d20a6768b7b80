"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import {
  Dialog,
  DialogBody,
  DialogClose,
  DialogContent,
  DialogFooter,
  useBusyDialog,
} from "@/components/ui/dialog.tsx";
import { counted } from "@/lib/counted.ts";
import type { TestImport } from "@/lib/test-questions/csv.ts";
import { sendFile } from "../knowledge/add/send-file.ts";

/** Imports test questions from a file, and says what was added and why rows were skipped. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Import test questions"
        description="From a CSV file or an Excel workbook. Existing questions are skipped."
      >
        <ImportFile />
      </DialogContent>
    </Dialog>
  );
}

function ImportFile() {
  const companyId = useCompanyId();
  const router = useRouter();
  const [error, setError] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [done, setDone] = useState<TestImport | null>(null);
  useBusyDialog(isSending);

  async function send(file: File | undefined): Promise<void> {
    if (!file) return;
    setError(null);
    setIsSending(true);
    const address = `/test-questions/import?${new URLSearchParams({ name: file.name })}`;
    const result = await sendFile<TestImport>(address, file, { companyId });
    setIsSending(false);
    if (!result.ok) return setError(result.error);
    setDone(result.data);
    router.refresh();
  }

  return (
    <>
      <DialogBody>
        {done ? (
          <Outcome {...done} />
        ) : (
          <>
            <p className="text-muted text-sm">
              The first row names the columns: <code>question</code>, and any of <code>expectedSource</code>,{" "}
              <code>excludedSource</code>, <code>facts</code> (one per line of the cell, alternatives separated by |)
              and <code>mustRefuse</code> (yes).
            </p>
            <input
              type="file"
              aria-label="File"
              accept=".csv,.tsv,.xlsx"
              disabled={isSending}
              onChange={({ target }) => {
                void send(target.files?.[0]);
                // so that a corrected file of the same name can be chosen
                target.value = "";
              }}
            />
          </>
        )}
        <ErrorMessage>{error}</ErrorMessage>
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button variant={done ? "primary" : "secondary"} disabled={isSending}>
            {done ? "Done" : "Cancel"}
          </Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

function Outcome({ added, known, invalid, errors }: TestImport) {
  return (
    <div role="status" className="grid gap-2">
      <p>
        {counted(added, "test question")} added.{known > 0 && ` ${known} existed already.`}
        {invalid > 0 && ` ${counted(invalid, "invalid row")} skipped:`}
      </p>
      {errors.map((text) => (
        <p key={text} className="wrap-anywhere text-danger text-sm">
          {text}
        </p>
      ))}
    </div>
  );
}
