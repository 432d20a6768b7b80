import { createSession, deleteSession } from "../db/system/sessions.ts";
import { raiseSessionVersion } from "../db/system/users.ts";

export const SESSION_SECONDS = 30 * 86_400;

/** A user who proved their identity, with the `sessionVersion` that was read together with the proof. */
export interface AuthenticatedUser {
  userId: string;
  version: number;
}

/**
 * Signs a person in on one browser.
 * @returns the session's id, for the cookie
 */
export async function startSession({ userId, version }: AuthenticatedUser): Promise<string> {
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1_000);
  return createSession({ userId, version, expiresAt });
}

/** Signs out on one browser; copies of its cookie stop working. */
export async function endSession(id: string): Promise<void> {
  await deleteSession(id);
}

/** Signs the person out on every browser. */
export async function endSessions(userId: string): Promise<void> {
  await raiseSessionVersion(userId);
}
