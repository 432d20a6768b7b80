import type { ApiKey } from "@/lib/api-keys/service.ts";
import { DAY_MS } from "@/lib/durations.ts";
import type { MemberRow } from "@/lib/members/service.ts";

/** A key with the name of who made it. */
export type KeyRow = ApiKey & { createdByName: string };

/** What the dialogs of a key need to know of it. */
export type KeySummary = Pick<ApiKey, "id" | "name" | "status" | "lastUsedAt" | "expiresAt">;

/** A person who has left has no name here any more. */
export function creatorOf({ createdBy }: ApiKey, members: MemberRow[]): string {
  if (createdBy === null) return "the operator";
  return members.find(({ userId }) => userId === createdBy)?.name ?? "a former member";
}

/** Nobody acts on it any more: revoked, or replaced and over. */
export function isOver({ status, replacedById }: Pick<ApiKey, "status" | "replacedById">): boolean {
  return status === "revoked" || (status === "expired" && replacedById !== null);
}

export function isLive({ status }: Pick<ApiKey, "status">): boolean {
  return status === "active" || status === "retiring";
}

/** Somebody would notice if it stopped. */
export function usedInLastDay({ lastUsedAt }: Pick<ApiKey, "lastUsedAt">): boolean {
  return lastUsedAt !== null && Date.now() - lastUsedAt.getTime() < DAY_MS;
}

export function expiresSoon({ expiresAt, status }: Pick<ApiKey, "expiresAt" | "status">): boolean {
  return status === "active" && expiresAt !== null && expiresAt.getTime() - Date.now() < 7 * DAY_MS;
}

/** Thirty days without a call: likely nobody needs it. */
export function isIdle({ lastUsedAt, createdAt }: Pick<ApiKey, "lastUsedAt" | "createdAt">): boolean {
  return Date.now() - (lastUsedAt ?? createdAt).getTime() > 30 * DAY_MS;
}
