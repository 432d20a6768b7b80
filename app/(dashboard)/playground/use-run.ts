import { useEffect, useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { streamParts } from "@/components/stream-parts.ts";
import { UNREACHABLE } from "@/components/use-action.ts";
import type { Issue } from "@/lib/errors.ts";
import type { PlaygroundPart } from "@/lib/playground/run.ts";
import { toRequest } from "./form.ts";
import { type Asked, nextRun, type Run } from "./run.ts";

interface RunState {
  run: Run | null;
  /** Whether the results of a run are pending; `run` is then the previous one. */
  pending: boolean;
  error: string | null;
  issues: Issue[];
}

const IDLE: Omit<RunState, "run"> = { pending: false, error: null, issues: [] };

/**
 * Runs requests, one at a time: a new run cancels the previous one, on the server too.
 * @param onFinished called with each complete run
 */
export function useRun(onFinished: (run: Run) => void) {
  const companyId = useCompanyId();
  const [state, setState] = useState<RunState>({ run: null, ...IDLE });
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  async function start(asked: Asked): Promise<void> {
    current.current?.abort();
    const own = new AbortController();
    current.current = own;
    const update = (values: Partial<RunState>) => {
      if (!own.signal.aborted) setState((before) => ({ ...before, ...values }));
    };
    const fail = (error: string, issues: Issue[]) => {
      if (own.signal.aborted) return;
      setState(({ run }) => ({ run: run && { ...run, isWriting: false }, pending: false, error, issues }));
    };

    setState(({ run }) => ({ run: run && { ...run, isWriting: false }, ...IDLE, pending: true }));
    let run: Run | null = null;
    try {
      const input = { request: toRequest(asked.form), keyId: asked.keyId };
      const options = { companyId, signal: own.signal };
      for await (const part of streamParts<PlaygroundPart>("/playground/runs", input, options)) {
        if (part.type === "failed") return fail(part.error, part.issues);
        run = nextRun(run, part, asked);
        update({ run, ...IDLE });
      }
      if (run?.finished) onFinished(run);
      else fail(UNREACHABLE, []);
    } catch {
      fail(UNREACHABLE, []);
    }
  }

  /** Shows an earlier run again, unless another one has started. */
  const show = (run: Run) => setState((state) => (state.run || state.pending ? state : { run, ...IDLE }));

  return { ...state, start, show };
}
