/** The lists of unanswered questions. Pure; the browser uses it too. */
export const GAP_VIEWS = ["open", "mine", "snoozed", "dismissed"] as const;
export type GapView = (typeof GAP_VIEWS)[number];
