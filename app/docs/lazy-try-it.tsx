"use client";

import { type ComponentProps, useState } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import type { TryIt } from "./try-it.tsx";

const Panel = lazyComponent<ComponentProps<typeof TryIt>>(async () => (await import("./try-it.tsx")).TryIt);

/** The form that sends a request, whose code is loaded when it is first opened. */
export function LazyTryIt(props: ComponentProps<typeof TryIt>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="rounded-md border border-border px-4 py-3"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary className="cursor-pointer font-medium">Try it</summary>
      {isOpen && <Panel {...props} />}
    </details>
  );
}
