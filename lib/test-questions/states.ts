import { TEST_STATES } from "../db/column-values.ts";

/** The states that a list of test questions filters by. `new`: not run yet. Pure. */
export const LISTED_STATES = [...TEST_STATES, "new"] as const;

export type ListedState = (typeof LISTED_STATES)[number];
