import type { Issue } from "@/lib/errors.ts";

/** The message of a field's error in a form; of a list, that of the first entry with an error. */
export function fieldMessage(error: unknown): string | undefined {
  if (Array.isArray(error)) return error.map(fieldMessage).find((message) => message !== undefined);
  const hasMessage = typeof error === "object" && error !== null && "message" in error;
  return hasMessage && typeof error.message === "string" ? error.message : undefined;
}

/** The message of an action's first issue at a field or at an entry of its list. */
export function issueAt(issues: Issue[], field: string): string | undefined {
  return issues.find((issue) => isAt(issue, field))?.message;
}

/** The error of an action; null when each of its issues is at one of the fields that a form shows. */
export function errorBesideFields(error: string | null, issues: Issue[], fields: string[]): string | null {
  const isShown = (issue: Issue) => fields.some((field) => isAt(issue, field));
  return issues.length > 0 && issues.every(isShown) ? null : error;
}

function isAt({ path }: Issue, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
