"use client";

import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import type { RefObject } from "react";
import { Button, type ButtonVariants } from "@/components/ui/button.tsx";
import { useCopy } from "@/components/use-copy.ts";

interface CopyButtonProps {
  text: string;
  /** Accessible name of the button: "Copy key". */
  label: string;
  /** Shows the name beside the icon; "sm" only on screens wider than a phone's. */
  labelled?: boolean | "sm";
  /** The element that shows the text, which is selected if the browser refuses to copy. */
  shownIn?: RefObject<HTMLElement | null>;
  variant?: ButtonVariants["variant"];
  className?: string;
  onCopied?: () => void;
}

export function CopyButton({
  text,
  label,
  labelled,
  shownIn,
  variant = "secondary",
  className,
  onCopied,
}: CopyButtonProps) {
  const { state, copy } = useCopy();
  const Icon = state === "copied" ? Check : Copy;
  const words = { idle: label, copied: "Copied", failed: "Press Ctrl+C" }[state];
  return (
    <span className="inline-flex items-center gap-2">
      <Button
        variant={variant}
        size={labelled ? "md" : "icon-sm"}
        className={className}
        aria-label={labelled ? undefined : label}
        title={labelled ? undefined : label}
        onClick={async () => {
          await copy(text, shownIn?.current);
          onCopied?.();
        }}
      >
        <Icon aria-hidden className={state === "copied" ? "text-success" : undefined} />
        {labelled && <span className={labelled === "sm" ? "max-sm:sr-only" : undefined}>{words}</span>}
      </Button>
      {!labelled && state === "failed" && <span className="text-muted text-sm">Press Ctrl+C</span>}
      <span aria-live="polite" className="sr-only">
        {state === "copied" && "Copied"}
        {state === "failed" && "The browser could not copy. The text is selected: press Ctrl+C."}
      </span>
    </span>
  );
}
