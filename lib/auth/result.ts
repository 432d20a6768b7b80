import type { Issue } from "../errors.ts";

/** The result of an action; errors are for people. Pure. */
export type ActionResult<Data> =
  | { ok: true; data: Data }
  | {
      ok: false;
      /** What happened, and what to do. */
      error: string;
      /** Errors by field; `path` is as in the input. */
      issues: Issue[];
    };

/** The page that an action was called from. */
interface ActionPage {
  companyId: string | undefined;
}

/** An action as the browser calls it. */
export type Action<Input, Data> = (input: Input, page?: ActionPage) => Promise<ActionResult<Data>>;
