"use client";

import { usePathname, useRouter } from "next/navigation";
import { type RefObject, useEffect, useRef } from "react";

const CHANNEL = "ragstone-company";

/**
 * All tabs of a browser share a session and thus its company. When another tab has switched the company, this tab
 * refreshes on its next navigation, and not earlier, so that text typed for one company is not saved in the other.
 * @returns whether another tab has switched the company
 */
export function useFollowCompany(companyId: string): RefObject<boolean> {
  const router = useRouter();
  const pathname = usePathname();
  const isStale = useRef(false);

  useEffect(() => {
    isStale.current = false;
    const channel = new BroadcastChannel(CHANNEL);
    channel.postMessage(companyId);
    channel.onmessage = ({ data }) => {
      isStale.current = data !== companyId;
    };
    return () => channel.close();
  }, [companyId]);

  const from = useRef(pathname);
  useEffect(() => {
    if (from.current === pathname) return;
    from.current = pathname;
    if (isStale.current) router.refresh();
  }, [pathname, router]);
  return isStale;
}
