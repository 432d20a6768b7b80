"use client";

import { useRouter } from "next/navigation";
import { useId, useState } from "react";
import { DialogForm } from "@/components/dialog-form.tsx";
import { AbsoluteTime, RelativeTime } from "@/components/relative-time.tsx";
import { Dialog, DialogContent } from "@/components/ui/dialog.tsx";
import { RadioCard, RadioGroup } from "@/components/ui/radio-group.tsx";
import { useAction } from "@/components/use-action.ts";
import { OVERLAPS, type Overlap } from "@/lib/api-keys/schema.ts";
import type { CreatedKey } from "@/lib/api-keys/service.ts";
import { rotateKeyAction } from "./actions.ts";
import { type KeySummary, usedInLastDay } from "./key-row.ts";
import { RevealKey } from "./reveal-key.tsx";

interface RotateDialogProps {
  apiKey: KeySummary;
  publicUrl: string;
  onClose: () => void;
}

export function RotateDialog({ apiKey, publicUrl, onClose }: RotateDialogProps) {
  const router = useRouter();
  const [created, setCreated] = useState<CreatedKey | null>(null);

  function close(): void {
    onClose();
    // not earlier: re-rendering the page under the dialog could discard the token
    if (created) router.refresh();
  }

  return (
    <Dialog open onOpenChange={(open) => !open && close()}>
      <DialogContent
        title={created ? "Save your new key" : `Rotate “${apiKey.name}”`}
        description={
          created
            ? undefined
            : `Replaces ${apiKey.maskedToken} with a new key of the same name, access, limits and expiry.`
        }
        locked={created !== null}
        className="max-w-xl"
      >
        {created ? (
          <RevealKey created={created} publicUrl={publicUrl} onSaved={close} />
        ) : (
          <RotateForm apiKey={apiKey} onRotated={setCreated} />
        )}
      </DialogContent>
    </Dialog>
  );
}

const OVERLAP_WORDS: Record<Overlap, { label: string; description: string }> = {
  now: {
    label: "Stop immediately",
    description: "For a leaked key. Systems that use it get 401 until they have the new key.",
  },
  "1h": { label: "1 more hour", description: "If you can update the key right away." },
  "24h": { label: "24 more hours", description: "Time to roll out the new key." },
  "7d": { label: "7 more days", description: "If other people must update the key." },
};

function RotateForm({ apiKey, onRotated }: { apiKey: KeySummary; onRotated: (created: CreatedKey) => void }) {
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const { run, pending, error } = useAction(rotateKeyAction, { onSuccess: onRotated });
  const titleId = useId();
  return (
    <DialogForm
      onSubmit={() => void run({ id: apiKey.id, overlap })}
      confirm="Rotate key"
      variant={overlap === "now" ? "danger" : "primary"}
      pending={pending}
      error={error}
    >
      <div className="grid gap-2">
        <h3 id={titleId} className="font-medium text-sm">
          How long the old key keeps working
        </h3>
        <RadioGroup
          value={overlap}
          onValueChange={(value) => setOverlap(OVERLAPS.find((known) => known === value) ?? overlap)}
          aria-labelledby={titleId}
          className="sm:grid-cols-2"
        >
          {OVERLAPS.map((value) => (
            <RadioCard key={value} value={value} {...OVERLAP_WORDS[value]} />
          ))}
        </RadioGroup>
        {apiKey.expiresAt && (
          <p className="text-muted text-sm">
            Both end on <AbsoluteTime date={apiKey.expiresAt} time /> at the latest, because the new key inherits the
            expiry.
          </p>
        )}
      </div>
      {overlap === "now" && usedInLastDay(apiKey) && apiKey.lastUsedAt && (
        <p className="rounded-md bg-warning-soft px-3 py-2 text-warning">
          The old key was used <RelativeTime date={apiKey.lastUsedAt} />. Systems that use it will get 401.
        </p>
      )}
    </DialogForm>
  );
}
