"use client";

import { useRef } from "react";
import { CopyButton } from "@/components/copy-button.tsx";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import { DialogBody, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { SentLink as Sent } from "@/lib/members/links.ts";

/** Whether closing the dialog loses the link, which was not mailed. */
export function isShownOnce(link: Sent | null): boolean {
  return link !== null && !link.mailed;
}

/** The content of a dialog whose link is ready. */
export function SentLinkBody({ link }: { link: Sent }) {
  return (
    <>
      <DialogBody>
        <SentLink link={link} />
      </DialogBody>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Done</Button>
        </DialogClose>
      </DialogFooter>
    </>
  );
}

/** Says that a link was mailed, or shows the link once: the server stores only its hash. */
function SentLink({ link }: { link: Sent }) {
  const shown = useRef<HTMLInputElement>(null);
  if (link.mailed) {
    return (
      <p role="status">
        Link sent to <strong className="break-all font-medium">{link.email}</strong>. It works once and expires{" "}
        <RelativeTime date={link.expiresAt} />.
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <p>
        Give this link to <strong className="break-all font-medium">{link.email}</strong>. It works once, expires{" "}
        <RelativeTime date={link.expiresAt} />, and cannot be shown again.
      </p>
      <div className="flex gap-2">
        <Input
          ref={shown}
          readOnly
          value={link.url}
          aria-label="Link"
          className="font-mono text-sm"
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={link.url} label="Copy link" labelled shownIn={shown} />
      </div>
    </div>
  );
}
