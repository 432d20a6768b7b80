"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { onNotice } from "@/components/notify.ts";

const Toaster = lazy(() => import("@/components/ui/toaster.tsx").then((module) => ({ default: module.Toaster })));

/** Nothing until there is something to say. */
export function ToastHost() {
  const [turn, setTurn] = useState(0);
  useEffect(() => onNotice(() => setTurn((before) => before + 1)), []);
  return <Suspense>{turn > 0 && <Toaster turn={turn} />}</Suspense>;
}
