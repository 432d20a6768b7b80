import { counted } from "../../counted.ts";
import { AppError, type Issue } from "../../errors.ts";
import { WIDEN } from "./widen-path.ts";

/** Audiences that sources may become visible to, because the caller confirmed them; `any` where it confirms all. */
export type WidenTo = readonly string[] | "any";

export function widenToOf(isConfirmed: boolean | undefined): WidenTo {
  return isConfirmed ? "any" : [];
}

/** The sources that would become visible to new audiences. */
export interface Widening {
  sources: number;
  /** The number of sources that each audience gains, highest first. */
  audiences: { audience: string; sources: number }[];
}

const AUDIENCES_NAMED = 8;

/** The audiences that a source gains beyond `widenTo`. */
export function gainedAudiences(before: string[], after: string[], widenTo: WidenTo): string[] {
  if (widenTo === "any") return [];
  return after.filter((audience) => !before.includes(audience) && !widenTo.includes(audience));
}

/** @param gained the audiences that each source gains */
export function wideningOf(gained: Iterable<string[]>): Widening | null {
  const counts = new Map<string, number>();
  let sources = 0;
  for (const audiences of gained) {
    if (audiences.length > 0) sources++;
    for (const audience of new Set(audiences)) counts.set(audience, (counts.get(audience) ?? 0) + 1);
  }
  if (sources === 0) return null;
  const audiences = [...counts].map(([audience, count]) => ({ audience, sources: count }));
  return { sources, audiences: audiences.sort((a, b) => b.sources - a.sources || (a.audience < b.audience ? -1 : 1)) };
}

/** "3 sources would become visible to ai_agent (3) and copilot (2)." */
export function wideningWords({ sources, audiences }: Widening): string {
  const named = audiences
    .slice(0, AUDIENCES_NAMED)
    .map(({ audience, sources: count }) => (count === sources ? audience : `${audience} (${count})`));
  const more = audiences.length - named.length;
  const list = new Intl.ListFormat("en").format(more > 0 ? [...named, counted(more, "other audience")] : named);
  return `${counted(sources, "source")} would become visible to ${list}.`;
}

/** Nothing was written. The caller asks the user to confirm and repeats the call with the answer. */
export function wideningRefused(widening: Widening): AppError {
  const message = wideningWords(widening);
  return new AppError("Conflict", message, { fields: { issues: [{ path: WIDEN, message }] } });
}

export function isWideningRefused(error: unknown): error is AppError {
  const issues = error instanceof AppError ? error.fields.issues : null;
  return Array.isArray(issues) && issues.some((issue: Issue) => issue.path === WIDEN);
}
