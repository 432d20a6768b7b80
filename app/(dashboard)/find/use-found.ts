import { useEffect, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { UNREACHABLE } from "@/components/use-action.ts";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import type { ActionResult } from "@/lib/auth/result.ts";
import type { Found } from "@/lib/find/find-by-name.ts";

/** Short enough to feel immediate, long enough that a word is one request. */
const TYPING_MS = 120;

/** What the server finds for a text; null for an empty text and before the first response. */
export function useFound(text: string): { found: Found | null; error: string | null } {
  const companyId = useCompanyId();
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    if (text === "") {
      setFound(null);
      return;
    }
    const own = new AbortController();
    const timer = setTimeout(async () => {
      const address = `/find?${new URLSearchParams({ q: text, [COMPANY_PARAM]: companyId ?? "" })}`;
      try {
        const response = await fetch(address, { signal: own.signal });
        const result: ActionResult<Found> = await response.json();
        setError(result.ok ? null : result.error);
        if (result.ok) setFound(result.data);
      } catch {
        if (!own.signal.aborted) setError(UNREACHABLE);
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [text, companyId]);
  return { found, error };
}
