import type { PlaygroundFinished, PlaygroundFound, PlaygroundPart } from "@/lib/playground/run.ts";
import type { RequestForm } from "./form.ts";

export interface PlaygroundKey {
  id: string;
  name: string;
  /** A sentence for each restriction; empty if the key is not restricted. */
  policy: string[];
  /** Whether the key may request AI answers. */
  answers: boolean;
}

/** A new object for each click, so that clicking the same citation again works. */
export interface Cited {
  rank: number;
}

/** A request with what has arrived of its outcome. */
export interface Run {
  form: RequestForm;
  keyId: string | null;
  found: PlaygroundFound;
  /** The answer so far. */
  answer: string;
  /** Whether the answer is about to be rewritten; `answer` is shown until then. */
  isReset: boolean;
  /** Known once the answer is complete; stays null if the run failed or was replaced. */
  finished: PlaygroundFinished | null;
  isWriting: boolean;
}

export type Asked = Pick<Run, "form" | "keyId">;

/** The run after its next part. */
export function nextRun(run: Run | null, part: PlaygroundPart, asked: Asked): Run | null {
  if (part.type === "found") {
    return { ...asked, found: part, answer: "", isReset: false, finished: null, isWriting: true };
  }
  if (run === null) return null;
  switch (part.type) {
    case "text":
      return { ...run, answer: run.isReset ? part.text : run.answer + part.text, isReset: false };
    case "reset":
      return { ...run, isReset: true };
    case "finished":
      return { ...run, finished: part, isWriting: false };
  }
}
