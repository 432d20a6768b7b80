import type { runAction } from "./actions.ts";
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

type RunData = Extract<Awaited<ReturnType<typeof runAction>>, { ok: true }>["data"];

/** A request with its outcome. */
export interface Run {
  form: RequestForm;
  keyId: string | null;
  data: RunData;
}
