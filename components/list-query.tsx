"use client";

import { useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { useHydrated } from "@/components/use-hydrated.ts";

interface RememberQueryProps {
  list: string;
  /** The parameter that opens a dialog, which a link back must not open. */
  dialog?: string;
}

/** Keeps the filters and the page of a list in this tab, for the links back to it. */
export function RememberQuery({ list, dialog }: RememberQueryProps) {
  const key = useStorageKey(list);
  const params = new URLSearchParams(useSearchParams());
  if (dialog) params.delete(dialog);
  const query = params.toString();
  useEffect(() => {
    try {
      sessionStorage.setItem(key, query);
    } catch {
      // without storage, only the links back lose the filters
    }
  }, [key, query]);
  return null;
}

/** The address of a list, with the filters and the page that it had in this tab. */
export function useListAddress(list: string): string {
  const key = useStorageKey(list);
  // the server does not know the query
  const query = useHydrated() ? readQuery(key) : null;
  return query ? `${list}?${query}` : list;
}

/** Filters such as an API key exist in one company only. */
function useStorageKey(list: string): string {
  return `ragstone.list ${useCompanyId()} ${list}`;
}

function readQuery(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
