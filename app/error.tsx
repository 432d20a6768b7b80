"use client";

import { Failure } from "@/components/failure.tsx";

export default function PageError(props: { error: unknown; retry: () => void }) {
  return (
    <main className="px-4">
      <Failure {...props} />
    </main>
  );
}
