"use client";

import { lazy, Suspense, useEffect, useState } from "react";
import { subscribeToNotices } from "@/components/notify.ts";

const Toaster = lazy(() => import("@/components/ui/toaster.tsx").then((module) => ({ default: module.Toaster })));

/** Renders nothing, and loads no code, until the first notice. */
export function ToastHost() {
  const [revision, setRevision] = useState(0);
  useEffect(() => subscribeToNotices(() => setRevision((before) => before + 1)), []);
  return <Suspense>{revision > 0 && <Toaster revision={revision} />}</Suspense>;
}
