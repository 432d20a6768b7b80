"use client";

import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { useCompanyId } from "@/components/company-context.tsx";
import { questionOfFragment } from "@/components/playground-link.ts";
import { titleWithPlace } from "@/components/result-place.ts";
import { TracePanel } from "@/components/trace/trace-panel.tsx";
import type { Labels } from "@/lib/knowledge/browse/list-labels.ts";
import type { RetrieveResult } from "@/lib/retrieval/schema.ts";
import { AnswerPane } from "./answer-pane.tsx";
import type { AskedTest } from "./asked-test.ts";
import { EMPTY_FORM, type RequestForm, readMetadata } from "./form.ts";
import { History } from "./history.tsx";
import { Introduction, type Missing } from "./introduction.tsx";
import type { PastRun } from "./past-run.ts";
import { RequestPane } from "./request-pane.tsx";
import { ResultPane } from "./result-pane.tsx";
import type { Cited, PlaygroundKey, Run } from "./run.ts";
import { storedRun, storeRun } from "./stored-run.ts";
import { useRun } from "./use-run.ts";

/** What the company's retrieval settings change. */
interface CompanySettings extends Pick<RequestForm, "useRerank" | "scoreThreshold"> {
  /** The settings that are not Ragstone's defaults, in words. */
  words: string[];
}

interface PlaygroundProps {
  keys: PlaygroundKey[];
  labels: Labels;
  history: PastRun[];
  /** Whether the log keeps questions as text; there is no history otherwise. */
  keepsText: boolean;
  initial: { run: PastRun | null; test: AskedTest | null; question: string; missing: Missing | null };
  company: CompanySettings;
  /** URL of the API's route. */
  url: string;
}

/** Request, results and answer side by side, the trace below. Ctrl+Enter runs the request, / focuses the question. */
export function Playground({ keys, labels, history, keepsText, initial, company, url }: PlaygroundProps) {
  const [form, setForm] = useState<RequestForm>({
    ...EMPTY_FORM,
    useRerank: company.useRerank,
    scoreThreshold: company.scoreThreshold,
    queryText: initial.question,
    ...(initial.run ?? initial.test)?.form,
  });
  const [wantedKeyId, setKeyId] = useState((initial.run ?? initial.test)?.keyId ?? null);
  // until a run from the history fills the form
  const [isTest, setIsTest] = useState(initial.test !== null);
  // a run cannot use a key that was revoked or has expired since
  const keyId = keys.some(({ id }) => id === wantedKeyId) ? wantedKeyId : null;
  const [past, setPast] = useState(history);
  const [cited, setCited] = useState<Cited | null>(null);
  const query = useRef<HTMLTextAreaElement>(null);
  const [isEmpty, setIsEmpty] = useState(false);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const { run, pending, error, issues, start, show } = useRun(remember);
  const companyId = useCompanyId();
  const answer = useRef<HTMLDivElement>(null);
  const hasAsked = useRef(false);

  const restore = useEffectEvent(() => {
    const linked = questionOfFragment(window.location.hash);
    if (linked !== null) setForm((shown) => ({ ...shown, queryText: linked }));
    const before = storedRun(companyId);
    if (!before) return;
    show(before);
    setForm(before.form);
    setKeyId(before.keyId);
  });
  useEffect(() => restore(), []);

  const requestId = run?.found.requestId;
  useEffect(() => {
    // below the form on narrow screens, where people would have to look for the answer
    const isStacked = window.matchMedia("(max-width: 63.99rem)").matches;
    if (requestId && hasAsked.current && isStacked) answer.current?.scrollIntoView({ block: "start" });
  }, [requestId]);

  function ask(): void {
    const isBlank = form.queryText.trim() === "";
    const isInvalid = readMetadata(form.metadata) === null;
    setIsEmpty(isBlank);
    setIsUnreadable(isInvalid);
    if (isBlank) query.current?.focus();
    else if (!isInvalid) {
      setCited(null);
      hasAsked.current = true;
      // empty fields take the defaults, so that the page shows what applies
      const asked = {
        ...form,
        limit: form.limit.trim() || EMPTY_FORM.limit,
        scoreThreshold: form.scoreThreshold.trim() || company.scoreThreshold,
      };
      setForm(asked);
      // the warning of a lost key is about the request before
      setKeyId(keyId);
      void start({ form: asked, keyId });
    }
  }

  function remember(finished: Run): void {
    storeRun(finished, companyId);
    if (!keepsText) return;
    const { form, keyId, found } = finished;
    const { context: _, ...stored } = form;
    const added = { id: found.requestId, at: new Date(), form: stored, keyId, total: found.response.total };
    setPast((before) => [added, ...before.filter((other) => !isSame(other, added))]);
  }

  useShortcuts({ run: ask, query });

  function refill(picked: PastRun): void {
    setForm(({ context }) => ({ ...picked.form, context }));
    setKeyId(picked.keyId);
    setIsTest(false);
    query.current?.focus();
  }

  // a new run is pending or was refused
  const isOld = pending || error !== null || isEmpty || isUnreadable;

  return (
    <div
      data-wide
      className="grid items-start gap-6 lg:grid-cols-[19rem_minmax(0,1fr)] lg:grid-rows-[auto_auto_1fr] min-[87.5rem]:grid-cols-[19rem_minmax(0,1fr)_21rem] min-[87.5rem]:grid-rows-[auto_1fr]"
    >
      <div className="grid gap-6 max-lg:contents lg:col-start-1 lg:row-[1/span_3] min-[87.5rem]:row-[1/span_2]">
        <RequestPane
          form={form}
          setForm={setForm}
          keys={keys}
          keyId={keyId}
          lostKeyOf={keyId === wantedKeyId ? null : isTest ? "test question" : "request"}
          keepsText={keepsText}
          setKeyId={setKeyId}
          labels={labels}
          pending={pending}
          failure={{ error, issues, isEmpty, isUnreadable }}
          query={query}
          ownSettings={company.words}
          url={url}
          onRun={ask}
        />
        <History past={past} keys={keys} keepsText={keepsText} onPick={refill} />
      </div>
      {run && (
        <div
          ref={answer}
          className={cn(
            "min-w-0 scroll-mt-18 self-stretch transition-opacity lg:col-start-2 min-[87.5rem]:col-start-3",
            isOld && "opacity-50",
          )}
        >
          {/* sticks within its own row, above the trace */}
          <div className="min-[87.5rem]:sticky min-[87.5rem]:top-6">
            <AnswerPane key={run.found.requestId} run={run} onCite={(rank) => setCited({ rank })} />
          </div>
        </div>
      )}
      <div className={cn("min-w-0 lg:col-start-2 min-[87.5rem]:row-start-1", !run && "min-[87.5rem]:col-end-4")}>
        <ResultPane
          run={run}
          introduction={<Introduction run={initial.run} missing={initial.missing} />}
          pending={pending}
          isOld={isOld}
          cited={cited}
        />
      </div>
      {run?.finished && (
        <div className="min-w-0 lg:col-start-2 min-[87.5rem]:col-end-4">
          <RunTrace form={run.form} response={run.found.response} finished={run.finished} />
        </div>
      )}
    </div>
  );
}

interface RunTraceProps extends Pick<Run, "form">, Pick<Run["found"], "response"> {
  finished: NonNullable<Run["finished"]>;
}

function RunTrace({ form, response, finished: { trace, stages, degraded } }: RunTraceProps) {
  return (
    <TracePanel
      data={{
        trace,
        stages,
        useRerank: form.useRerank,
        scoreThreshold: Number(form.scoreThreshold),
        total: response.total,
      }}
      titles={new Map(response.results.map(({ id, payload }) => [id, titleOf(payload)]))}
      degraded={degraded}
    />
  );
}

function titleOf({ title, sourceId, metadata: { headings, page } }: RetrieveResult["payload"]): string {
  return titleWithPlace({
    ...{ title, sourceId },
    ...(Array.isArray(headings) && { headings: headings.map(String) }),
    ...(typeof page === "number" && { page }),
  });
}

interface Shortcuts {
  run: () => void;
  query: RefObject<HTMLTextAreaElement | null>;
}

function useShortcuts({ run, query }: Shortcuts): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && isCommand && !isInOtherForm(event.target, query.current?.form)) {
      event.preventDefault();
      run();
    }
    if (event.key !== "/" || isCommand || event.altKey || isField(event.target)) return;
    event.preventDefault();
    query.current?.focus();
    query.current?.select();
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** True in another form, such as the note on an answer, which a new run would discard. */
function isInOtherForm(target: EventTarget | null, own: HTMLFormElement | null | undefined): boolean {
  const form = target instanceof Element ? target.closest("form") : null;
  return form !== null && form !== own;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function isSame(a: PastRun, b: PastRun): boolean {
  return a.keyId === b.keyId && JSON.stringify(a.form) === JSON.stringify(b.form);
}
