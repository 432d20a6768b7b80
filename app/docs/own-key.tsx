"use client";

import { createContext, type ReactNode, useContext, useState } from "react";

const OwnKey = createContext<[string, (token: string) => void]>(["", () => {}]);

/** Shares the key that the reader typed between the sections. It stays in this page's memory and is never stored. */
export function OwnKeyProvider({ children }: { children: ReactNode }) {
  return <OwnKey value={useState("")}>{children}</OwnKey>;
}

/** The reader's key, and how to change it. */
export function useOwnKey() {
  return useContext(OwnKey);
}
