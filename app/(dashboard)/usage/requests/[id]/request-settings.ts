import { joinPath } from "@/lib/label-text.ts";
import type { LoggedSettings } from "@/lib/retrieval/logged-settings.ts";
import { toMetadataFilter } from "@/lib/retrieval/metadata-filter.ts";

/** The settings of a request as names and values. */
export function requestSettingWords({
  filters,
  limit,
  scoreThreshold,
  useRerank,
  returnMode,
  completed,
}: LoggedSettings) {
  const words: [name: string, words: string | undefined | false][] = [
    ["Answer", returnMode === "ai_generated_answer" ? "AI answer" : "Chunks only"],
    ["Question", completed && "Completed from the chat before the search"],
    ["Limit", String(limit)],
    ["Threshold", scoreThreshold > 0 && String(scoreThreshold)],
    ["Rerank", useRerank && "Yes"],
    ["Audience", filters.audience],
    ["Types", filters.sourceTypes?.map((type) => (type === "qa" ? "Q&A" : "Documents")).join(", ")],
    ["Categories", filters.contentCategory?.join(", ")],
    ["Path", filters.path && joinPath(filters.path)],
    ["Metadata", filters.metadata && JSON.stringify(toMetadataFilter(filters.metadata))],
  ];
  return words.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
}
