"use client";

import { useRef, useState } from "react";
import { useAction } from "@/components/use-action.ts";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { wideningOf, wideningWords } from "@/lib/knowledge/intake/widening.ts";
import { UPLOADS_CHECKED_AT_ONCE } from "@/lib/knowledge/limits.ts";
import { checkUploadAction } from "../actions.ts";
import type { LabelledFile } from "./dropped-files.ts";

interface WidenQuestion {
  files: LabelledFile[];
  question: string;
}

/** Asks once, before any file is sent, whether existing sources may become visible to more audiences. */
export function useUploadCheck(add: (files: LabelledFile[], widen: boolean) => void) {
  const [questions, setQuestions] = useState<WidenQuestion[]>([]);
  const last = useRef(Promise.resolve());
  const { run, error } = useAction(checkUploadAction);

  /** The audiences that sources would gain, one list per source; undefined if the request failed. */
  async function findGained(files: LabelledFile[]): Promise<string[][] | undefined> {
    const gained: string[][] = [];
    for (const { labels, names } of callsFor(files)) {
      const found = await run({ names, labels });
      if (!found) return undefined;
      gained.push(...found);
    }
    return gained;
  }

  async function checkNext(files: LabelledFile[]): Promise<void> {
    const gained = await findGained(files);
    if (!gained) return;
    const widening = wideningOf(gained);
    if (widening) setQuestions((all) => [...all, { files, question: wideningWords(widening) }]);
    else add(files, false);
  }

  const [first] = questions;
  return {
    question: first?.question ?? null,
    error,
    check(files: LabelledFile[]): void {
      // `useAction` runs one call at a time, so checks are queued
      last.current = last.current.then(() => checkNext(files));
    },
    answer(isYes: boolean): void {
      if (first && isYes) add(first.files, true);
      setQuestions((all) => all.slice(1));
    },
  };
}

interface CheckedNames {
  labels: LabelsInput;
  names: string[];
}

/** The names to check, by labels. Without an audience, each source keeps its own. */
function callsFor(files: LabelledFile[]): CheckedNames[] {
  const byLabels = new Map<string, CheckedNames>();
  const calls: CheckedNames[] = [];
  for (const { name, labels } of files) {
    if (labels.audience.length === 0) continue;
    const key = JSON.stringify(labels);
    let call = byLabels.get(key);
    if (!call || call.names.length === UPLOADS_CHECKED_AT_ONCE) {
      call = { labels, names: [] };
      byLabels.set(key, call);
      calls.push(call);
    }
    call.names.push(name);
  }
  return calls;
}
