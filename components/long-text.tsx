"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { cn } from "@/components/cn.ts";
import { PlainButton } from "@/components/ui/plain-button.tsx";

/** Shows the first two lines of a muted text, and a button for the rest if there is more. */
export function LongText({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [isCut, setCut] = useState(false);
  const text = useRef<HTMLParagraphElement>(null);
  const id = useId();
  useEffect(() => {
    const element = text.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      // an open text keeps its button
      if (!isOpen) setCut(element.scrollHeight > element.clientHeight + 1);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  return (
    <div className="text-muted text-sm">
      <p ref={text} id={id} className={cn("wrap-anywhere max-w-prose", !isOpen && "line-clamp-2")}>
        {children}
      </p>
      {isCut && (
        <PlainButton
          aria-expanded={isOpen}
          aria-controls={id}
          className="mt-0.5 rounded-sm text-accent underline-offset-4 hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </PlainButton>
      )}
    </div>
  );
}
