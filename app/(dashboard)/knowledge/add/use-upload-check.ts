"use client";

import { useRef, useState } from "react";
import { useAction } from "@/components/use-action.ts";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import { wideningOf, wideningWords } from "@/lib/knowledge/intake/widening.ts";
import { UPLOADS_CHECKED_AT_ONCE } from "@/lib/knowledge/limits.ts";
import { checkUploadAction } from "../actions.ts";
import type { NamedFile } from "./dropped-files.ts";

interface WidenQuestion {
  files: NamedFile[];
  labels: LabelsInput;
  question: string;
}

/** Asks once, before any file is sent, whether existing sources may become visible to more audiences. */
export function useUploadCheck(add: (files: NamedFile[], labels: LabelsInput, widen: boolean) => void) {
  const [questions, setQuestions] = useState<WidenQuestion[]>([]);
  const last = useRef(Promise.resolve());
  const { run, error } = useAction(checkUploadAction);

  /** The audiences that sources would gain, one list per source; undefined if the request failed. */
  async function findGained(files: NamedFile[], labels: LabelsInput): Promise<string[][] | undefined> {
    const gained: string[][] = [];
    for (let start = 0; start < files.length; start += UPLOADS_CHECKED_AT_ONCE) {
      const names = files.slice(start, start + UPLOADS_CHECKED_AT_ONCE).map(({ name }) => name);
      const found = await run({ names, labels });
      if (!found) return undefined;
      gained.push(...found);
    }
    return gained;
  }

  async function checkNext(files: NamedFile[], labels: LabelsInput): Promise<void> {
    // without an audience, each source keeps its own
    const gained = labels.audience.length > 0 ? await findGained(files, labels) : [];
    if (!gained) return;
    const widening = wideningOf(gained);
    if (widening) setQuestions((all) => [...all, { files, labels, question: wideningWords(widening) }]);
    else add(files, labels, false);
  }

  const [first] = questions;
  return {
    question: first?.question ?? null,
    error,
    check(files: NamedFile[], labels: LabelsInput): void {
      // `useAction` runs one call at a time, so checks are queued
      last.current = last.current.then(() => checkNext(files, labels));
    },
    answer(isYes: boolean): void {
      if (first && isYes) add(first.files, first.labels, true);
      setQuestions((all) => all.slice(1));
    },
  };
}
