import type { SourceType } from "@/lib/db/column-values.ts";
import type { SourceStatus, Verification } from "@/lib/knowledge/values.ts";

export const TYPE_WORDS: Record<SourceType, string> = { document: "Document", qa: "Q&A" };

export const STATUS_WORDS: Record<SourceStatus, string> = {
  ready: "Ready",
  processing: "Processing",
  failed: "Failed",
  deleted: "Deleted",
};

export const VERIFICATION_WORDS: Record<Verification, string> = { verified: "Verified", due: "Due for review" };
