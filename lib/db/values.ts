/** What columns may hold, for schemas of tables and for forms in the browser alike. Pure. */
export const ROLES = ["admin", "support"] as const;

export const SUBSCRIPTION_STATUSES = [
  "ACTIVE",
  "TRIALING",
  "PAST_DUE",
  "INCOMPLETE",
  "UNPAID",
  "PAUSED",
  "CANCELLED",
  "EXPIRED",
] as const;

export const SOURCE_TYPES = ["document", "qa"] as const;

export type Role = (typeof ROLES)[number];
export type SourceType = (typeof SOURCE_TYPES)[number];
