"use client";

import { useRef, useState } from "react";
import { useAction } from "@/components/use-action.ts";
import type { LabelsInput } from "@/lib/knowledge/edit-input.ts";
import { UPLOADS_CHECKED_AT_ONCE } from "@/lib/knowledge/limits.ts";
import { wideningOf, wideningWords } from "@/lib/knowledge/widening.ts";
import { checkUploadAction } from "../actions.ts";
import type { NamedFile } from "./dropped-files.ts";

interface Asked {
  files: NamedFile[];
  labels: LabelsInput;
  question: string;
}

/** Asks once, before any file is sent, whether sources may become visible to the audiences that the form names. */
export function useUploadCheck(add: (files: NamedFile[], labels: LabelsInput, widen: boolean) => void) {
  const [asked, setAsked] = useState<Asked[]>([]);
  const last = useRef(Promise.resolve());
  const { run, error } = useAction(checkUploadAction);

  /** By source, the audiences that it would gain; undefined when the server did not say. */
  async function gainedBy(files: NamedFile[], labels: LabelsInput): Promise<string[][] | undefined> {
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
    // without an audience every source keeps its own
    const gained = labels.audience.length > 0 ? await gainedBy(files, labels) : [];
    if (!gained) return;
    const widening = wideningOf(gained);
    if (widening) setAsked((all) => [...all, { files, labels, question: wideningWords(widening) }]);
    else add(files, labels, false);
  }

  const [first] = asked;
  return {
    question: first?.question ?? null,
    error,
    check(files: NamedFile[], labels: LabelsInput): void {
      // an action runs once at a time
      last.current = last.current.then(() => checkNext(files, labels));
    },
    answer(isYes: boolean): void {
      if (first && isYes) add(first.files, first.labels, true);
      setAsked((all) => all.slice(1));
    },
  };
}
