import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useCompanyId, useIsStale } from "@/components/company-context.tsx";
import { streamParts } from "@/components/stream-parts.ts";
import { UNREACHABLE } from "@/components/use-action.ts";
import type { RetrievalSettingsForm } from "@/lib/retrieval-settings/schema.ts";
import type { Trial, TrialPart } from "@/lib/test-questions/try-settings.ts";

interface TrialState {
  /** Null unless a trial is running. */
  progress: { done: number; total: number } | null;
  /** The last trial, with the settings that it tried. */
  tried: { settings: RetrievalSettingsForm; trial: Trial } | null;
  error: string | null;
}

const IDLE: TrialState = { progress: null, tried: null, error: null };

/** Tries settings on the test questions, one trial at a time. Leaving the page stops the trial, on the server too. */
export function useTrial() {
  const companyId = useCompanyId();
  const isStale = useIsStale();
  const router = useRouter();
  const [state, setState] = useState(IDLE);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function start(settings: RetrievalSettingsForm): Promise<void> {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    const update = (values: Partial<TrialState>) => {
      if (!own.signal.aborted) setState({ ...IDLE, ...values });
    };
    update({ progress: { done: 0, total: 0 } });
    try {
      const options = { companyId, signal: own.signal };
      for await (const part of streamParts<TrialPart>("/settings/retrieval/trials", settings, options)) {
        if (part.type === "failed") return update({ error: part.error });
        if (part.type === "finished") {
          update({ tried: { settings, trial: part.trial } });
          // the page lists the trial
          if (!isStale.current) router.refresh();
          return;
        }
        update({ progress: part });
      }
      update({ error: UNREACHABLE });
    } catch {
      update({ error: UNREACHABLE });
    }
  }

  function stop(): void {
    current.current?.abort();
    setState(IDLE);
  }

  return { ...state, start, stop };
}
