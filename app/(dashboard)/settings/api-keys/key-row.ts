import type { ApiKey } from "@/lib/api-keys/service.ts";
import { DAY_MS } from "@/lib/durations.ts";
import type { MemberRow } from "@/lib/members/service.ts";

/** Days of requests that the list and the page of a key show. */
export const ACTIVITY_DAYS = 30;

/** A key with the name of its creator and its requests by day, oldest first; null without requests. */
export type KeyRow = ApiKey & { createdByName: string; activity: number[] | null };

/** The fields of a key that its dialogs need. */
export type KeySummary = Pick<ApiKey, "id" | "name" | "maskedToken" | "status" | "lastUsedAt" | "expiresAt">;

/** The name of the key's creator, if they are still a member. */
export function creatorOf({ createdBy }: ApiKey, members: MemberRow[]): string {
  if (createdBy === null) return "the operator";
  return members.find(({ userId }) => userId === createdBy)?.name ?? "a former member";
}

/** Needs no attention any more: revoked, or expired after it was replaced. */
export function isInactive({ status, replacedById }: Pick<ApiKey, "status" | "replacedById">): boolean {
  return status === "revoked" || (status === "expired" && replacedById !== null);
}

/** Revoking the key would likely break a system. */
export function usedInLastDay({ lastUsedAt }: Pick<ApiKey, "lastUsedAt">): boolean {
  return lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < DAY_MS;
}

export function expiresSoon({ expiresAt, status }: Pick<ApiKey, "expiresAt" | "status">): boolean {
  return status === "active" && expiresAt !== null && expiresAt.getTime() - Date.now() < 7 * DAY_MS;
}

/** Not used for 30 days, so likely not needed. */
export function isIdle({ lastUsedAt, createdAt }: Pick<ApiKey, "lastUsedAt" | "createdAt">): boolean {
  return Date.now() - (lastUsedAt ?? createdAt).getTime() > 30 * DAY_MS;
}
