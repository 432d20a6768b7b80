"use client";

import Link from "next/link";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useRef } from "react";
import { lazyComponent } from "@/components/lazy-component.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { StatusBadge } from "@/components/status-badge.tsx";
import { dayWords } from "@/components/time-words.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { useAction } from "@/components/use-action.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import type { VerifiedCloseness } from "@/lib/test-questions/verified-closeness.ts";
import { withdrawVerificationAction } from "../actions.ts";
import { VERIFICATION_WORDS } from "../source-words.ts";

const VerifyDialog = lazyComponent(() => import("../verify-dialog.tsx").then((module) => module.VerifyDialog));

interface VerificationCardProps {
  source: SourceDetails;
  closeness: VerifiedCloseness;
  canEdit: boolean;
}

/** Whether the answer of a question is verified. `?verify=true` opens the form. */
export function VerificationCard({ source, closeness, canEdit }: VerificationCardProps) {
  const { id, versionId, verification } = source;
  const [isOpen, setIsOpen] = useQueryState("verify", parseAsBoolean.withDefault(false));
  const verify = useRef<HTMLButtonElement>(null);
  const withdraw = useAction(withdrawVerificationAction, {
    success: "Verification withdrawn",
    toastError: true,
    // the button is removed
    onSuccess: () => verify.current?.focus(),
  });
  return (
    <Card>
      <CardHeader
        title="Verification"
        actions={
          verification && (
            <StatusBadge tone={verification === "due" ? "warning" : "success"}>
              {VERIFICATION_WORDS[verification]}
            </StatusBadge>
          )
        }
      />
      <CardBody className="grid gap-4">
        <div className="grid gap-1">
          <Verification source={source} />
          {verification !== "due" && (
            <p className="text-muted text-sm">
              “The same” means a closeness of at least {closeness.needed.toFixed(2)},{" "}
              {closeness.isOwn ? "calculated from your test questions" : "Ragstone's default"}.{" "}
              <Link href="/settings/retrieval" className="text-accent underline underline-offset-4">
                Details
              </Link>
            </p>
          )}
        </div>
        {canEdit && (
          <div className="flex flex-wrap gap-2">
            <Button ref={verify} size="sm" variant="secondary" onClick={() => void setIsOpen(true)}>
              {verification ? "Verify again" : "Verify answer"}
            </Button>
            {verification && (
              <Button
                size="sm"
                variant="ghost"
                pending={withdraw.pending}
                onClick={() => void withdraw.run({ ids: [id] })}
              >
                Withdraw verification
              </Button>
            )}
          </div>
        )}
      </CardBody>
      {canEdit && isOpen && <VerifyDialog ids={[id]} versionId={versionId} onClose={() => void setIsOpen(null)} />}
    </Card>
  );
}

function Verification({ source: { verification, verifiedAt, verifiedBy, verifiedUntil } }: { source: SourceDetails }) {
  if (!verification || !verifiedAt) {
    return (
      <p className="text-muted">
        This answer is not verified. Questions that ask the same get a verified answer word for word.
      </p>
    );
  }
  const until = verifiedUntil && dayWords(verifiedUntil);
  return (
    <div className="grid gap-1">
      <p className="wrap-anywhere">
        Verified by {verifiedBy} on <AbsoluteTime date={verifiedAt} />
        {until && verification === "verified" && `, until ${until}`}.
        {verification === "verified" && " Questions that ask the same get it word for word."}
      </p>
      {verification === "due" && (
        <p className="text-warning">
          The verification expired on {until}. Check the answer, then verify it again or edit it.
        </p>
      )}
    </div>
  );
}
