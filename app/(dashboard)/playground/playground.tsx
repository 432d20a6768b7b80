"use client";

import SearchX from "lucide-react/icons/search-x";
import { useEffect, useRef, useState } from "react";
import { EmptyState } from "@/components/empty-state.tsx";
import { ErrorMessage } from "@/components/error-message.tsx";
import { useAction } from "@/components/use-action.ts";
import { runAction } from "./actions.ts";
import { AnswerPane } from "./answer-pane.tsx";
import { History, useHistory } from "./history.tsx";
import { EMPTY_FORM, type RequestForm, toRequest } from "./request.ts";
import { RequestPane } from "./request-pane.tsx";
import { ResultList } from "./result-list.tsx";
import { TracePanel } from "./trace-panel.tsx";

export interface PlaygroundKey {
  id: string;
  name: string;
  /** The key's policy, a sentence each. */
  policy: string[];
}

/** Request, results and answer side by side, the trace below. Ctrl+Enter runs, / goes to the question. */
export function Playground({ keys, url }: { keys: PlaygroundKey[]; url: string }) {
  const [form, setForm] = useState<RequestForm>(EMPTY_FORM);
  const [keyId, setKeyId] = useState<string | null>(null);
  const [run, setRun] = useState<{ question: string; data: RunData } | null>(null);
  const [cited, setCited] = useState<number | null>(null);
  const query = useRef<HTMLTextAreaElement>(null);
  const { past, remember } = useHistory();
  const { run: send, pending, error } = useAction(runAction);

  async function ask(): Promise<void> {
    if (!form.queryText.trim()) return query.current?.focus();
    const data = await send({ request: toRequest(form), keyId });
    if (!data) return;
    setRun({ question: form.queryText, data });
    setCited(null);
    remember(form);
  }

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key !== "/" || typing) return;
      event.preventDefault();
      query.current?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)] 2xl:grid-cols-[20rem_minmax(0,1fr)_24rem]">
      <div className="grid gap-4">
        <RequestPane {...{ form, setForm, keys, keyId, setKeyId, pending, query, url }} onRun={ask} />
        <History past={past} onPick={(kept) => setForm({ ...kept, context: form.context })} />
      </div>
      <div className="grid min-w-0 gap-6 2xl:contents" aria-live="polite">
        {error && <ErrorMessage>{error}</ErrorMessage>}
        {!run && !error && (
          <div className="2xl:col-span-2">
            <EmptyState icon={SearchX} title="Nothing asked yet">
              Type a question as a customer would, then press Ctrl+Enter. You see the passages with their scores, the
              answer that cites them, and how each came to its place.
            </EmptyState>
          </div>
        )}
        {run && (
          <>
            <div className="grid min-w-0 gap-6 2xl:order-1">
              <ResultList results={run.data.response.results} question={run.question} cited={cited} />
              <TracePanel data={run.data} />
            </div>
            <div className="order-first min-w-0 2xl:order-2">
              <AnswerPane key={run.data.requestId} question={run.question} data={run.data} onCite={setCited} />
            </div>
          </>
        )}
      </div>
    </div>
  );
}

export type RunData = Extract<Awaited<ReturnType<typeof runAction>>, { ok: true }>["data"];
