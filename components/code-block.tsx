"use client";

import { useRef } from "react";
import { cn } from "@/components/cn.ts";
import { CopyButton } from "@/components/copy-button.tsx";

interface CodeBlockProps {
  code: string;
  /** What it is, for the copy button: "Copy command". */
  copyLabel?: string;
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
  className?: string;
}

export function CodeBlock({ code, copyLabel = "Copy", wrap, className }: CodeBlockProps) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className={cn("relative rounded-md border border-border bg-subtle", className)}>
      <pre className={cn("overflow-x-auto py-3 pr-14 pl-4 font-mono text-sm", wrap && "whitespace-pre-wrap break-all")}>
        <code ref={shown}>{code}</code>
      </pre>
      <CopyButton
        text={code}
        label={copyLabel}
        shownIn={shown}
        variant="ghost"
        className="absolute top-1.5 right-1.5 bg-subtle"
      />
    </div>
  );
}
