import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";

type Version = SourceDetails["versions"][number];

export const STATE_WORDS: Record<Version["state"], string> = {
  building: "Processing",
  current: "Served",
  superseded: "Replaced",
  failed: "Failed",
};

/** The author of a version; empty for versions of earlier releases. */
export function authorWords({ authorType, authorName }: Pick<Version, "authorType" | "authorName">): string {
  if (!authorName) return "";
  return authorType === "api_key" ? `Key “${authorName}”` : authorName;
}
