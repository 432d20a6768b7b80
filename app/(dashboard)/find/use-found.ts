import { useEffect, useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { UNREACHABLE } from "@/components/use-action.ts";
import { COMPANY_PARAM } from "@/lib/auth/page-company.ts";
import type { ActionResult } from "@/lib/auth/result.ts";
import type { Found } from "@/lib/find/find-by-name.ts";

/** Short enough to feel immediate, long enough that a word is one request. */
const TYPING_MS = 120;
const PAUSE_MS_MAX = 500;

interface Answer {
  text: string;
  found: Found | null;
  error: string | null;
}

const NO_ANSWER: Answer = { text: "", found: null, error: null };

/**
 * What the server finds for a text; null for an empty text and before the first response. While the text is `pending`, the
 * answer to the previous text is returned.
 */
export function useFound(text: string): Omit<Answer, "text"> & { pending: boolean } {
  const companyId = useCompanyId();
  const [{ text: answered, ...answer }, setAnswer] = useState(NO_ANSWER);
  const took = useRef(0);
  useEffect(() => {
    if (text === "") {
      setAnswer(NO_ANSWER);
      return;
    }
    const own = new AbortController();
    // while someone types, a search that takes long must not begin again with each letter
    const pause = Math.min(PAUSE_MS_MAX, Math.max(TYPING_MS, took.current));
    const timer = setTimeout(async () => {
      const started = performance.now();
      const address = `/find?${new URLSearchParams({ q: text, [COMPANY_PARAM]: companyId ?? "" })}`;
      try {
        const response = await fetch(address, { signal: own.signal });
        const result: ActionResult<Found> = await response.json();
        took.current = performance.now() - started;
        if (own.signal.aborted) return;
        setAnswer({
          text,
          ...(result.ok ? { found: result.data, error: null } : { found: null, error: result.error }),
        });
      } catch {
        if (!own.signal.aborted) setAnswer({ text, found: null, error: UNREACHABLE });
      }
    }, pause);
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [text, companyId]);
  return { ...answer, pending: text !== answered };
}
