"use client";

import CircleAlert from "lucide-react/icons/circle-alert";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import { useSourceActions } from "../use-source-actions.ts";
import { useRefresh } from "../while-processing.tsx";

/** Says that a source is deleted, has failed, waits for an unavailable provider, was hard to read or not read as a whole, and what to do. */
export function SourceNotice({ source, canEdit }: { source: SourceDetails; canEdit: boolean }) {
  const { id, status, error, notice, progress, deletedAt, currentVersionId } = source;
  const { restore, reindex } = useSourceActions();
  useRefresh(status === "processing");
  if (status === "deleted") {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-border bg-subtle px-5 py-3">
        <p>
          Deleted {deletedAt && <RelativeTime date={deletedAt} />}. Retrieval does not find this source.{" "}
          {canEdit ? "You" : "An admin"} can restore it within 24 hours.
        </p>
        {canEdit && (
          <Button
            size="sm"
            variant="secondary"
            pending={restore.pending}
            onClick={() => void restore.run({ ids: [id] })}
          >
            Restore
          </Button>
        )}
      </div>
    );
  }
  if (status === "failed") {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-danger-soft px-5 py-3 text-danger"
      >
        <p className="flex min-w-0 items-start gap-2">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            {error ?? "Processing failed."}
            {currentVersionId && " Until processing succeeds, the previous version stays searchable."}
          </span>
        </p>
        {canEdit && (
          <Button
            size="sm"
            variant="secondary"
            pending={reindex.pending}
            onClick={() => void reindex.run({ ids: [id] })}
          >
            Retry
          </Button>
        )}
      </div>
    );
  }
  if (progress?.waitsFor) {
    return (
      <p className="rounded-lg bg-warning-soft px-5 py-3 text-warning">
        {progress.waitsFor} Ragstone will retry automatically for 24 hours
        {currentVersionId ? "; until then the previous version stays searchable." : "."}
      </p>
    );
  }
  return notice && <p className="rounded-lg bg-warning-soft px-5 py-3 text-warning">{notice}</p>;
}
