"use client";

import { useRef } from "react";
import { cn } from "@/components/cn.ts";
import { colorCode } from "@/components/color-code.tsx";
import { CopyButton } from "@/components/copy-button.tsx";
import { useScrollStop } from "@/components/ui/use-scroll-stop.ts";

interface CodeBlockProps {
  code: string;
  /** Label of the copy button: "Copy command". */
  copyLabel?: string;
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean;
  className?: string;
}

export function CodeBlock({ code, copyLabel = "Copy", wrap, className }: CodeBlockProps) {
  const shown = useRef<HTMLElement>(null);
  const frame = useScrollStop<HTMLPreElement>();
  return (
    <div className={cn("relative min-w-0 rounded-md border border-border bg-subtle", className)}>
      <pre
        {...frame}
        className={cn("overflow-x-auto py-3 pr-14 pl-4 font-mono text-sm", wrap && "wrap-anywhere whitespace-pre-wrap")}
      >
        <code ref={shown}>{colorCode(code)}</code>
      </pre>
      {/* as high as the code, so that it covers the ends of all lines */}
      <div className="absolute inset-y-0 right-0 rounded-r-md bg-subtle p-1.5">
        <CopyButton text={code} label={copyLabel} shownIn={shown} variant="ghost" />
      </div>
    </div>
  );
}
