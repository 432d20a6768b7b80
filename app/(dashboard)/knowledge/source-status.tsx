import { StatusBadge } from "@/components/status-badge.tsx";
import type { Tone } from "@/components/ui/badge.tsx";
import type { JobProgress } from "@/lib/jobs/progress.ts";
import type { SourceStatus as Status } from "@/lib/knowledge/values.ts";
import { STATUS_WORDS } from "./source-words.ts";

const TONES: Record<Status, Tone> = { ready: "success", processing: "accent", failed: "danger", deleted: "neutral" };

/** The status of a source, with the progress while it is processing. */
export function SourceStatus({ status, progress }: { status: Status; progress: JobProgress | null }) {
  return (
    <StatusBadge tone={TONES[status]} live={status === "processing"}>
      {status === "processing" ? processingWords(progress) : STATUS_WORDS[status]}
    </StatusBadge>
  );
}

function processingWords(progress: JobProgress | null): string {
  if (!progress?.running) return "Waiting";
  return progress.total > 0 ? `Processing ${Math.floor((100 * progress.done) / progress.total)} %` : "Processing";
}
