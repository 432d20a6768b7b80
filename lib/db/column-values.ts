/** Allowed values of columns, shared by the database schema and the forms in the browser. Pure. */
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
