"use client";

import { type NoticeOptions, notify } from "@/components/notify.ts";
import { counted } from "@/lib/counted.ts";

/** How many of the chosen sources a change reached, and how many it left out. */
interface BulkResult {
  done: number;
  leftOut: number;
}

interface BulkWords extends NoticeOptions {
  /** The toast when the change reached some sources: "3 sources restored". */
  success: string;
  /** The toast when it reached none: "Nothing was restored". */
  nothing: string;
  /** Why sources are left out, after "It" or "They". */
  reason?: string;
}

/** Says what a change of several sources did and what it left out. A change that reached no source is an error. */
export function notifyBulk({ done, leftOut }: BulkResult, { success, nothing, reason, ...options }: BulkWords): void {
  const description = leftOutWords(leftOut, reason);
  if (done === 0) notify(nothing, { kind: "error", description });
  else notify(success, { ...options, description: [options.description, description].filter(Boolean).join(" ") });
}

/** "2 sources were left out. They …", or nothing when a change reached all chosen sources. */
function leftOutWords(count: number, reason = "had changed or could not be saved"): string {
  if (count <= 0) return "";
  const [were, they] = count === 1 ? ["was", "It"] : ["were", "They"];
  return `${counted(count, "source")} ${were} left out. ${they} ${reason}.`;
}
