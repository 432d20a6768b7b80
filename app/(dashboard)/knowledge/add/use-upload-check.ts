"use client";

import { useRef, useState } from "react";
import { useAction } from "@/components/use-action.ts";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { wideningOf, wideningWords } from "@/lib/knowledge/intake/widening.ts";
import { UPLOADS_CHECKED_AT_ONCE } from "@/lib/knowledge/limits.ts";
import { checkUploadAction } from "../actions.ts";
import type { CheckedFile, LabelledFile } from "./dropped-files.ts";

interface WidenQuestion {
  files: CheckedFile[];
  question: string;
}

/** Asks once, before any file is sent, whether existing sources may become visible to more audiences. */
export function useUploadCheck(add: (files: CheckedFile[]) => void) {
  const [questions, setQuestions] = useState<WidenQuestion[]>([]);
  const last = useRef(Promise.resolve());
  const { run, error } = useAction(checkUploadAction);

  /** The audiences that sources would gain, by name; undefined if the request failed. */
  async function findGained(files: LabelledFile[]): Promise<Map<string, string[]> | undefined> {
    const gained = new Map<string, string[]>();
    for (const { labels, names } of callsFor(files)) {
      const found = await run({ names, labels });
      if (!found) return undefined;
      for (const [index, name] of names.entries()) gained.set(name, found[index] ?? []);
    }
    return gained;
  }

  async function checkNext(files: LabelledFile[]): Promise<void> {
    const gained = await findGained(files);
    if (!gained) return;
    const widening = wideningOf(gained.values());
    const checked = files.map((file) => ({ ...file, widenTo: gained.get(file.name) ?? [] }));
    if (widening) setQuestions((all) => [...all, { files: checked, question: wideningWords(widening) }]);
    else add(checked);
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
      if (first && isYes) add(first.files);
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
