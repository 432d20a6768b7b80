import { cookies } from "next/headers";
import { secureCookies } from "@/lib/auth/session-cookie.ts";
import { RELABEL_OFFERED_MINUTES } from "@/lib/knowledge/intake/last-relabel.ts";

const COOKIE = "ragstone-dismissed-undo";

/** The change of labels whose undo the member dismissed last on this browser. */
export async function dismissedUndo(): Promise<string | undefined> {
  return (await cookies()).get(COOKIE)?.value;
}

/** Only in actions. */
export async function rememberDismissedUndo(relabelId: string): Promise<void> {
  (await cookies()).set(COOKIE, relabelId, {
    httpOnly: true,
    sameSite: "lax",
    secure: secureCookies(),
    path: "/knowledge",
    maxAge: RELABEL_OFFERED_MINUTES * 60,
  });
}
