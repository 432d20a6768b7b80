"use client";

import Link from "next/link";
import { StatusBadge } from "@/components/status-badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardHeader } from "@/components/ui/card.tsx";
import { describeChange } from "@/lib/label-changes.ts";
import { isFailure, type Upload } from "./upload-queue.ts";

/** The files with their progress. */
export function UploadList({ uploads, onRetry }: { uploads: Upload[]; onRetry: (upload: Upload) => void }) {
  const done = uploads.filter(({ state }) => state.kind === "done").length;
  const failed = uploads.filter(isFailure).length;
  return (
    <Card>
      <CardHeader
        title={
          <span aria-live="polite">{`${done} of ${uploads.length} added${failed > 0 ? `, ${failed} failed` : ""}`}</span>
        }
        description={done > 0 ? "Ragstone is processing them. The list shows their progress." : undefined}
        actions={
          done > 0 && (
            <Button asChild variant="secondary" size="sm">
              <Link href="/knowledge">Show in list</Link>
            </Button>
          )
        }
      />
      <ul className="divide-y divide-border px-5 py-3">
        {uploads.map((upload) => (
          <UploadItem key={upload.key} upload={upload} onRetry={() => onRetry(upload)} />
        ))}
      </ul>
    </Card>
  );
}

function UploadItem({ upload, onRetry }: { upload: Upload; onRetry: () => void }) {
  const { name, file, state } = upload;
  return (
    <li className="flex items-center justify-between gap-4 py-2.5">
      <div className="grid min-w-0 gap-0.5">
        <span className="truncate font-medium" title={name}>
          {state.kind === "done" ? (
            <Link href={`/knowledge/${state.id}`} className="underline-offset-4 hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
        {"error" in state ? (
          <span className="text-danger text-sm">{state.error}</span>
        ) : (
          <span className="text-muted text-sm">{size(file.size)}</span>
        )}
        {state.kind === "done" &&
          state.changes.map((change) => (
            <span key={change.label} className="wrap-anywhere text-sm text-warning">
              {describeChange(change)}
            </span>
          ))}
      </div>
      <span className="flex shrink-0 items-center gap-2">
        <State upload={upload} />
        {state.kind === "failed" && (
          <Button variant="secondary" size="sm" onClick={onRetry}>
            Retry
          </Button>
        )}
      </span>
    </li>
  );
}

function State({ upload: { name, state } }: { upload: Upload }) {
  switch (state.kind) {
    case "waiting":
      return <StatusBadge tone="neutral">Waiting</StatusBadge>;
    case "sending":
      return (
        <progress
          aria-label={`Sending ${name}`}
          value={state.share}
          className="h-1.5 w-28 appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
        />
      );
    case "done":
      return (
        <StatusBadge tone={state.unchanged ? "neutral" : "success"}>
          {state.unchanged ? "Unchanged" : "Added"}
        </StatusBadge>
      );
    case "failed":
    case "refused":
      return <StatusBadge tone="danger">Failed</StatusBadge>;
  }
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
