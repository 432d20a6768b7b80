"use client";

import Link from "next/link";
import { useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card.tsx";
import { CheckboxField } from "@/components/ui/toggle-field.tsx";
import { counted } from "@/lib/counted.ts";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import type { ImportPreview } from "@/lib/knowledge/intake/import-preview.ts";
import { wideningWords } from "@/lib/knowledge/intake/widening.ts";
import { SHEET_EXTENSIONS } from "@/lib/knowledge/parse/formats.ts";
import type { Relabelled } from "@/lib/label-changes.ts";
import { LabelFields } from "../label-fields.tsx";
import { WidenDialog, widenQuestion } from "../widen-dialog.tsx";
import type { AddProps } from "./add-props.ts";
import { DropZone } from "./drop-zone.tsx";
import { PreviewTable } from "./preview-table.tsx";
import { RelabelledList } from "./relabelled-list.tsx";
import { sendFile } from "./send-file.ts";

type Step =
  | { kind: "choose" }
  | { kind: "reading"; file: File }
  | { kind: "preview" | "importing"; file: File; preview: ImportPreview }
  | ({ kind: "done" } & Imported);

/** What a person allows the import to do. */
interface ImportChoice {
  /** Let sources become visible to more audiences. */
  widen: boolean;
  /** Replace the answers of sources that already have the question. */
  merge: boolean;
}

const NOTHING_CHOSEN: ImportChoice = { widen: false, merge: false };

interface Imported {
  changed: number;
  invalid: number;
  /** Rows that replaced the answer of another source. */
  merged: number;
  relabelled: Relabelled;
}

export function ImportQuestions({ known, defaultAudience }: AddProps) {
  const companyId = useCompanyId();
  const [labels, setLabels] = useState<LabelsInput>({ audience: [], contentCategory: "", path: "" });
  const [step, setStep] = useState<Step>({ kind: "choose" });
  const [error, setError] = useState<string | null>(null);
  const [widening, setWidening] = useState<string | null>(null);

  function send<Data>(what: "preview" | "import", file: File, { widen, merge }: ImportChoice = NOTHING_CHOSEN) {
    const address = new URLSearchParams({
      step: what,
      name: file.name,
      labels: JSON.stringify(labels),
      widen: String(widen),
      merge: String(merge),
    });
    return sendFile<Data>(`/knowledge/questions?${address}`, file, { companyId });
  }

  async function read(file: File | undefined): Promise<void> {
    if (!file) return;
    setError(null);
    setStep({ kind: "reading", file });
    const result = await send<ImportPreview>("preview", file);
    if (!result.ok) setError(result.error);
    setStep(result.ok ? { kind: "preview", file, preview: result.data } : { kind: "choose" });
  }

  async function write(file: File, preview: ImportPreview, choice: ImportChoice): Promise<void> {
    setError(null);
    setWidening(null);
    setStep({ kind: "importing", file, preview });
    const result = await send<Imported>("import", file, choice);
    if (result.ok) return setStep({ kind: "done", ...result.data });
    // the preview knows neither deleted sources nor later changes
    const question = widenQuestion(result.issues);
    if (question) setWidening(question);
    else setError(result.error);
    setStep({ kind: "preview", file, preview });
  }

  if (step.kind === "done") return <Done {...step} onAgain={() => setStep({ kind: "choose" })} />;
  return (
    <div className="grid gap-6">
      {(step.kind === "choose" || step.kind === "reading") && (
        <>
          <Card>
            <CardHeader title="Labels" description="These labels apply to rows that have none." />
            <CardBody>
              <LabelFields value={labels} onChange={setLabels} known={known} defaultAudience={defaultAudience} />
            </CardBody>
          </Card>
          <DropZone accept={SHEET_EXTENSIONS.join()} onFiles={([first]) => void read(first?.file)}>
            <p className="font-medium text-foreground">
              {step.kind === "reading" ? `Reading ${step.file.name}…` : "Drop a CSV file or an Excel workbook here"}
            </p>
            <p className="text-sm">
              The first row names the columns: <code>question</code> and <code>answer</code>, and optionally{" "}
              <code>audience</code>, <code>contentCategory</code>, <code>path</code> and <code>sourceId</code>. You will
              see a preview before anything changes.
            </p>
          </DropZone>
        </>
      )}
      <ErrorMessage>{error}</ErrorMessage>
      {(step.kind === "preview" || step.kind === "importing") && (
        <Preview
          {...step}
          isImporting={step.kind === "importing"}
          question={widening}
          onAsk={setWidening}
          onBack={() => setStep({ kind: "choose" })}
          onImport={(choice) => void write(step.file, step.preview, choice)}
        />
      )}
    </div>
  );
}

interface PreviewProps {
  file: File;
  preview: ImportPreview;
  isImporting: boolean;
  /** Asks whether sources may become visible to more audiences. */
  question: string | null;
  onAsk: (question: string | null) => void;
  onBack: () => void;
  onImport: (choice: ImportChoice) => void;
}

function Preview({ file, preview, isImporting, question, onAsk, onBack, onImport }: PreviewProps) {
  const { counts, widening, answered } = preview;
  const [merge, setMerge] = useState(true);
  const mergesNow = answered > 0 && merge;
  const work = counts.new + counts.changed;
  const verb = `Import ${counted(work, "question")}`;
  return (
    <Card>
      <CardHeader
        title={`Preview of ${file.name}`}
        description="Nothing has been imported yet. Invalid rows are skipped; you can correct the file and import it again."
      />
      <CardBody className="grid gap-4">
        {answered > 0 && (
          <CheckboxField
            label="Replace existing answers"
            hint={`${counted(answered, "question")} can replace ${answered === 1 ? "the answer of another source" : "the answers of other sources"}. Without this choice, both answers are kept.`}
            checked={merge}
            onCheckedChange={setMerge}
          />
        )}
        <PreviewTable preview={preview} merge={mergesNow} />
      </CardBody>
      <CardFooter>
        <span>{work === 0 && "Nothing to import: every row is already up to date or invalid."}</span>
        <span className="flex gap-2">
          <Button variant="secondary" onClick={onBack} disabled={isImporting}>
            Choose another file
          </Button>
          <Button
            onClick={() => (widening ? onAsk(wideningWords(widening)) : onImport({ widen: false, merge: mergesNow }))}
            disabled={work === 0}
            pending={isImporting}
          >
            {verb}
          </Button>
        </span>
      </CardFooter>
      <WidenDialog
        question={question}
        confirm={verb}
        onCancel={() => onAsk(null)}
        onConfirm={() => onImport({ widen: true, merge: mergesNow })}
      />
    </Card>
  );
}

function Done({ changed, invalid, merged, relabelled, onAgain }: Imported & { onAgain: () => void }) {
  return (
    <Card>
      <CardHeader
        title={`${counted(changed, "question")} imported`}
        description={`They will be searchable within seconds.${merged > 0 ? ` ${counted(merged, "existing answer")} replaced.` : ""}${invalid > 0 ? ` ${counted(invalid, "invalid row")} skipped.` : ""}`}
      />
      <CardBody className="grid gap-5">
        <RelabelledList relabelled={relabelled} />
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <Link href="/knowledge?type=qa">Show questions</Link>
          </Button>
          <Button variant="secondary" onClick={onAgain}>
            Import another file
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}
