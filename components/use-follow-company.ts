"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef } from "react";

const CHANNEL = "ragstone-company";

/**
 * All tabs of a browser share a session, and so its company. A tab whose company was changed in another one draws its frame
 * anew when it goes to another page; not before, so that what is being typed for one company does not land in the other.
 */
export function useFollowCompany(companyId: string): void {
  const router = useRouter();
  const pathname = usePathname();
  const left = useRef(false);

  useEffect(() => {
    left.current = false;
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(companyId);
    channel.onmessage = ({ data }) => {
      left.current = data !== companyId;
    };
    return () => channel.close();
  }, [companyId]);

  const from = useRef(pathname);
  useEffect(() => {
    if (from.current === pathname) return;
    from.current = pathname;
    if (left.current) router.refresh();
  }, [pathname, router]);
}
