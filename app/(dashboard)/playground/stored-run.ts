import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import { EMPTY_FORM } from "./form.ts";
import type { Run } from "./run.ts";

const STORAGE_KEY = "ragstone.runs";
/** Runs that Back and reload bring back. */
const RUNS_KEPT = 5;

interface StoredRun {
  companyId: string | undefined;
  run: Run;
}

/** Keeps a complete run in this tab, without its context fields, and puts its id and company into the URL. */
export function storeRun(run: Run, companyId: string | undefined): void {
  const id = run.found.requestId;
  const stored = { companyId, run: { ...run, form: { ...run.form, context: EMPTY_FORM.context } } };
  try {
    const others = readAll().filter((other) => other.run.found.requestId !== id);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([stored, ...others].slice(0, RUNS_KEPT)));
  } catch {
    // without storage, only Back and reload lose this run
    return;
  }
  const link = new URLSearchParams({ run: id, ...(companyId && { [COMPANY_PARAM]: companyId }) });
  window.history.replaceState(null, "", `/playground?${link}`);
}

/** The run that the URL names, if this tab has it. */
export function storedRun(companyId: string | undefined): Run | null {
  const id = new URLSearchParams(window.location.search).get("run");
  const stored = readAll().find(({ run }) => run.found.requestId === id);
  return stored && stored.companyId === companyId ? stored.run : null;
}

function readAll(): StoredRun[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "[]");
  } catch {
    return [];
  }
}
