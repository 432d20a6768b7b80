"use client";

import { Failure } from "@/components/failure.tsx";

export default function DashboardError(props: { error: unknown; retry: () => void }) {
  return <Failure {...props} />;
}
