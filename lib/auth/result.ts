import type { Issue } from "../errors.ts";

/** What an action answers; errors are for people. Pure. */
export type ActionResult<Data> =
  | { ok: true; data: Data }
  | {
      ok: false;
      /** One sentence that says what to do. */
      error: string;
      /** By field, `path` as the input names it. */
      issues: Issue[];
    };

/** The page that an action was called from. */
interface ActionPage {
  companyId: string | undefined;
}

/** An action as the browser calls it. */
export type Action<Input, Data> = (input: Input, page?: ActionPage) => Promise<ActionResult<Data>>;
