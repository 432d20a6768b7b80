"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { ScrollFrame } from "@/components/ui/scroll-frame.tsx";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { ANY_FORMAT } from "@/lib/knowledge/parse/formats.ts";
import { LabelFields } from "../label-fields.tsx";
import { WidenDialog } from "../widen-dialog.tsx";
import type { AddProps } from "./add-props.ts";
import { DropZone } from "./drop-zone.tsx";
import { labelFiles, labelsText, NO_LABELS } from "./unfinished-labels.ts";
import { type MissingFile, type UnfinishedUploads, unfinishedText } from "./unfinished-uploads.ts";
import { UploadList } from "./upload-list.tsx";
import { useUploadCheck } from "./use-upload-check.ts";
import { useUploads } from "./use-uploads.ts";

const NAMES_SHOWN = 100;

const KEPT_LABELS = "Where a field above is empty, these files get the labels that are shown here.";

export function AddFiles({ known, defaultAudience }: AddProps) {
  const [labels, setLabels] = useState<LabelsInput>(NO_LABELS);
  const { uploads, unfinished, hasNewFailure, add, retry, dismiss, markSeen } = useUploads();
  const { question, error, check, answer } = useUploadCheck(add);
  const seen = useEffectEvent(markSeen);
  useEffect(() => {
    if (hasNewFailure) seen();
  }, [hasNewFailure]);
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title="Labels" description="These labels apply to the files you add next." />
        <CardBody>
          <LabelFields value={labels} onChange={setLabels} known={known} defaultAudience={defaultAudience} />
        </CardBody>
      </Card>
      {unfinished && <Unfinished unfinished={unfinished} onDismiss={dismiss} />}
      <DropZone multiple onFiles={(files) => check(labelFiles(files, labels, unfinished))}>
        <p className="font-medium text-foreground">Drop files or folders here</p>
        <p className="text-sm">
          {`${ANY_FORMAT}, up to 50 MB each. A file with the same name as an existing one replaces it.`}
        </p>
      </DropZone>
      <ErrorMessage>{error}</ErrorMessage>
      <WidenDialog question={question} confirm="Upload" onConfirm={() => answer(true)} onCancel={() => answer(false)} />
      {uploads.length > 0 && <UploadList uploads={uploads} onRetry={retry} />}
    </div>
  );
}

function Unfinished({ unfinished, onDismiss }: { unfinished: UnfinishedUploads; onDismiss: () => void }) {
  const { missing } = unfinished;
  const haveLabels = missing.some(({ labels }) => labelsText(labels) !== "");
  return (
    <Card>
      <CardHeader
        title={unfinishedText(unfinished)}
        description={`Choose these files again to finish. Files that were already uploaded are skipped.${haveLabels ? ` ${KEPT_LABELS}` : ""}`}
        actions={
          <Button variant="secondary" size="sm" onClick={onDismiss}>
            Dismiss
          </Button>
        }
      />
      <ScrollFrame className="max-h-48 overflow-y-auto px-5 py-3">
        <ul aria-label="Files that were not uploaded" className="text-sm">
          {missing.slice(0, NAMES_SHOWN).map((file) => (
            <Missing key={file.name} file={file} />
          ))}
          {missing.length > NAMES_SHOWN && (
            <li className="py-0.5 text-muted">and {missing.length - NAMES_SHOWN} more</li>
          )}
        </ul>
      </ScrollFrame>
    </Card>
  );
}

function Missing({ file: { name, labels } }: { file: MissingFile }) {
  return (
    <li className="flex flex-wrap gap-x-3 py-0.5">
      <span className="max-w-full truncate" title={name}>
        {name}
      </span>
      <span className="wrap-anywhere text-muted">{labelsText(labels)}</span>
    </li>
  );
}
