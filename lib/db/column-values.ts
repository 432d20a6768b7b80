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

/** As people read them. */
export const SUBSCRIPTION_STATUS_LABELS: Record<(typeof SUBSCRIPTION_STATUSES)[number], string> = {
  ACTIVE: "Active",
  TRIALING: "On trial",
  PAST_DUE: "Past due",
  INCOMPLETE: "Incomplete",
  UNPAID: "Unpaid",
  PAUSED: "Paused",
  CANCELLED: "Cancelled",
  EXPIRED: "Expired",
};

export const SOURCE_TYPES = ["document", "qa"] as const;

/** What a key may do: ask; add, label and follow sources; or everything with sources. */
export const KEY_SCOPES = ["retrieve", "ingest", "manage"] as const;

/** As people read them. */
export const KEY_SCOPE_LABELS: Record<(typeof KEY_SCOPES)[number], string> = {
  retrieve: "Ask",
  ingest: "Add knowledge",
  manage: "Manage knowledge",
};

/** The outcome of a test question's last run. `unknown`: the question could not be asked. */
export const TEST_STATES = ["passed", "failed", "unknown"] as const;

/** The adapters through which a request may come; requests of the native routes come through none. */
export const ADAPTERS = ["mcp", "dify", "openai"] as const;

/** The interfaces that keys use: the native routes, and the adapters. */
export const INTERFACES = ["api", ...ADAPTERS] as const;

export type Role = (typeof ROLES)[number];
export type KeyScope = (typeof KEY_SCOPES)[number];
export type Adapter = (typeof ADAPTERS)[number];
export type Interface = (typeof INTERFACES)[number];
export type SourceType = (typeof SOURCE_TYPES)[number];
