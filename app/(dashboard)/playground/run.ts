import type { runAction } from "./actions.ts";
import type { RequestForm } from "./form.ts";

export interface PlaygroundKey {
  id: string;
  name: string;
  /** A sentence for each restriction; none: it reaches everything. */
  policy: string[];
  /** Whether it may have AI answers. */
  answers: boolean;
}

/** An object of its own for each press, so that the same citation can be followed again. */
export interface Cited {
  place: number;
}

type RunData = Extract<Awaited<ReturnType<typeof runAction>>, { ok: true }>["data"];

/** What was asked, with what came of it. */
export interface Run {
  form: RequestForm;
  keyId: string | null;
  data: RunData;
}
