"use client";

import Link from "next/link";
import { useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { CheckboxField } from "@/components/ui/toggle-field.tsx";
import { counted } from "@/lib/counted.ts";
import type { Relabelled } from "@/lib/label-changes.ts";
import { WidenDialog, widenQuestion } from "../widen-dialog.tsx";
import { DropZone } from "./drop-zone.tsx";
import { RelabelledList } from "./relabelled-list.tsx";
import { sendFile } from "./send-file.ts";

interface Imported {
  sources: number;
  changed: number;
  relabelled: Relabelled;
  /** Answers that were verified in the export: those that are verified here now, and the others. */
  verifications: { kept: number; lost: number };
}

interface Refused {
  file: File;
  question: string;
}

/** Imports a file that `Export everything` wrote, in this installation or another one. */
export function ImportExport() {
  const companyId = useCompanyId();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [imported, setImported] = useState<Imported | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const [keepVerifications, setKeepVerifications] = useState(false);

  async function send(file: File | undefined, widen = false): Promise<void> {
    if (!file || share !== null) return;
    setError(null);
    setImported(null);
    setRefused(null);
    setShare(0);
    const result = await sendFile<Imported>(
      `/knowledge/import?widen=${widen}&keepVerifications=${keepVerifications}`,
      file,
      {
        companyId,
        onProgress: setShare,
      },
    );
    setShare(null);
    if (result.ok) return setImported(result.data);
    const question = widenQuestion(result.issues);
    if (question) setRefused({ file, question });
    else setError(result.error);
  }

  return (
    <div className="grid gap-6">
      <DropZone accept=".jsonl,.ndjson" onFiles={([first]) => void send(first?.file)}>
        <p aria-live="polite" className="font-medium text-foreground">
          {share === null ? "Drop an export here" : progress(share)}
        </p>
        <p className="text-sm">
          A .jsonl file from “Export everything” or from the command line. Ragstone imports its texts, files and labels,
          and skips unchanged sources.
        </p>
      </DropZone>
      <CheckboxField
        label="Keep verifications"
        hint="Answers that were verified in the company that was exported are verified here too, until the same day. Otherwise, they have to be verified again."
        checked={keepVerifications}
        onCheckedChange={setKeepVerifications}
      />
      <ErrorMessage>{error}</ErrorMessage>
      <WidenDialog
        question={refused?.question ?? null}
        confirm="Import"
        onCancel={() => setRefused(null)}
        onConfirm={() => void send(refused?.file, true)}
      />
      {imported && (
        <Card>
          <CardHeader {...importWords(imported)} />
          <CardBody className="grid justify-items-start gap-5">
            <RelabelledList relabelled={imported.relabelled} />
            <Verifications {...imported.verifications} />
            <Button asChild>
              <Link href="/knowledge">Show in list</Link>
            </Button>
          </CardBody>
        </Card>
      )}
    </div>
  );
}

function Verifications({ kept, lost }: Imported["verifications"]) {
  return (
    <>
      {kept > 0 && <p>{counted(kept, "verified answer")} kept.</p>}
      {lost > 0 && (
        <p className="text-warning">
          {counted(lost, "answer")} {lost === 1 ? "was" : "were"} verified in the export and {lost === 1 ? "is" : "are"}{" "}
          not verified here.
        </p>
      )}
    </>
  );
}

/** How many sources were imported, and how many were skipped because they are unchanged. */
function importWords({ sources, changed }: Imported) {
  const unchanged = sources - changed;
  const skipped =
    unchanged > 0 && `${counted(unchanged, "unchanged source")} ${unchanged === 1 ? "was" : "were"} skipped.`;
  if (changed === 0) return { title: "Nothing to import", description: skipped };
  const processing = `Ragstone is processing ${changed === 1 ? "it" : "them"}.`;
  return {
    title: `${counted(changed, "source")} imported`,
    description: [processing, skipped].filter(Boolean).join(" "),
  };
}

function progress(share: number): string {
  return share < 1 ? `Uploading, ${Math.floor(share * 100)}%` : "Checking and importing…";
}
