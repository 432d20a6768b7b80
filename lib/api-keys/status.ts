import type { apiKeys } from "../db/schema/index.ts";

export type KeyStatus = "active" | "retiring" | "expired" | "revoked";
type Lifetime = Pick<typeof apiKeys.$inferSelect, "expiresAt" | "revokedAt" | "replacedById">;

/** The status of a key at a time; never stored. A retiring key was replaced and works until it expires. */
export function keyStatus({ revokedAt, expiresAt, replacedById }: Lifetime, now: Date): KeyStatus {
  // whatever the time: the clock of the process that revoked the key may be ahead of this one
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt <= now) return "expired";
  return replacedById ? "retiring" : "active";
}

/** Whether a key with this status works. */
export function isLive(status: KeyStatus): boolean {
  return status === "active" || status === "retiring";
}
