"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { cn } from "@/components/cn.ts";
import { ErrorMessage } from "@/components/error-message.tsx";
import { Dialog, DialogBody, DialogContent } from "@/components/ui/dialog.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { FindablePage } from "../shell/nav.ts";
import { type Target, targetsOf } from "./targets.ts";
import { useFound } from "./use-found.ts";

interface FindDialogProps {
  pages: FindablePage[];
  isAdmin: boolean;
  onClose: () => void;
}

/**
 * A search field with the list of what it finds. Arrow keys choose, Enter opens: the list of the previous text stays until
 * the response arrives, so Enter waits for it.
 */
export function FindDialog({ pages, isAdmin, onClose }: FindDialogProps) {
  const router = useRouter();
  const listId = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [isOpening, setIsOpening] = useState(false);
  const { found, error, pending } = useFound(text.trim());
  const targets = targetsOf(text.trim(), { pages, found, isAdmin });
  const active = Math.min(chosen, targets.length - 1);

  function open({ href }: Target): void {
    onClose();
    router.push(href);
  }

  const openActive = useEffectEvent(() => {
    setIsOpening(false);
    const target = targets[active];
    if (target) open(target);
  });
  useEffect(() => {
    if (isOpening && !pending) openActive();
  }, [isOpening, pending]);

  function onKeyDown(event: KeyboardEvent): void {
    // these keys choose and confirm a word of an input method
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") setIsOpening(true);
    else if (step && targets.length > 0) setChosen((active + step + targets.length) % targets.length);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title="Find" className="top-24 max-w-xl translate-y-0">
        <DialogBody className="gap-3">
          <Input
            role="combobox"
            aria-label="Page, source, key, test question or request ID"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={targets[active] ? `${listId}-${active}` : undefined}
            placeholder="Page, source, key, test question or request ID"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setChosen(0);
              setIsOpening(false);
            }}
            onKeyDown={onKeyDown}
          />
          <ErrorMessage>{error}</ErrorMessage>
          <div role="listbox" id={listId} aria-label="Found" className="grid">
            {targets.map((target, index) => (
              <button
                key={target.href}
                id={`${listId}-${index}`}
                type="button"
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                onClick={() => open(target)}
                onPointerMove={() => setChosen(index)}
                className={cn(
                  "flex min-h-9 items-baseline justify-between gap-4 rounded-sm px-2.5 py-1.5 text-left max-sm:min-h-11",
                  index === active && "bg-hover",
                )}
              >
                <span className="min-w-0 truncate">{target.name}</span>
                <span className="shrink-0 text-muted text-sm">{target.kind}</span>
              </button>
            ))}
          </div>
          <p role="status" className="text-muted empty:sr-only">
            {targets.length === 0 && !error && !pending && "Nothing found."}
          </p>
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
