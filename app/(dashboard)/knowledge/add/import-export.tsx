"use client";

import Link from "next/link";
import { useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { counted } from "@/lib/counted.ts";
import { DropZone } from "./drop-zone.tsx";
import { sendFile } from "./send-file.ts";

interface Imported {
  sources: number;
  changed: number;
}

/** The whole knowledge of another company or installation, as `Export everything` wrote it. */
export function ImportExport() {
  const companyId = useCompanyId();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);

  async function send(file: File | undefined): Promise<void> {
    if (!file || share !== null) return;
    setError(null);
    setImported(null);
    setShare(0);
    const result = await sendFile<Imported>("/knowledge/import", file, { companyId, onProgress: setShare });
    setShare(null);
    if (result.ok) setImported(result.data);
    else setError(result.error);
  }

  return (
    <div className="grid gap-6">
      <DropZone accept=".jsonl,.ndjson" onFiles={([first]) => void send(first?.file)}>
        <p aria-live="polite" className="font-medium text-foreground">
          {share === null ? "Drop an export here" : progress(share)}
        </p>
        <p className="text-sm">
          The .jsonl file that “Export everything” or the command line wrote. Texts, files and labels come back; sources
          that are the same already are no work.
        </p>
      </DropZone>
      <ErrorMessage>{error}</ErrorMessage>
      {imported && (
        <Card>
          <CardHeader
            title={`${counted(imported.sources, "source")} imported`}
            description={
              imported.changed === 0
                ? "Nothing in it is new: all is here as it stands in the file."
                : `New or changed are ${imported.changed} of them; these are being read now.`
            }
          />
          <CardBody>
            <Button asChild>
              <Link href="/knowledge">Show in the list</Link>
            </Button>
          </CardBody>
        </Card>
      )}
    </div>
  );
}

function progress(share: number): string {
  return share < 1 ? `Sending, ${Math.floor(share * 100)} %` : "Checking and taking in…";
}
