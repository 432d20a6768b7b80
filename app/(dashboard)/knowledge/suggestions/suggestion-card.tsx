import Link from "next/link";
import { RelativeTime } from "@/components/relative-time.tsx";
import { TextDiff } from "@/components/text-diff.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import type { Suggestion } from "@/lib/knowledge/suggestions/list.ts";
import { asVersion } from "@/lib/knowledge/suggestions/suggest.ts";
import type { DiffPart } from "@/lib/knowledge/text-diff.ts";
import { DecideButtons } from "./decide-buttons.tsx";
import { WithdrawButton } from "./withdraw-button.tsx";

interface SuggestionCardProps {
  suggestion: Suggestion;
  /** Its changes to the current text. */
  parts: DiffPart[];
  canDecide: boolean;
  /** Whether the member made the suggestion. */
  isOwn: boolean;
}

/** A suggestion with its changes. */
export function SuggestionCard({ suggestion, parts, canDecide, isOwn }: SuggestionCardProps) {
  const { id, sourceId, content, note, current, decision, reason } = suggestion;
  const { title } = asVersion(content);
  const isGone = sourceId !== null && current === null;
  return (
    <Card>
      <CardBody className="grid gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="wrap-anywhere font-semibold text-base">
            {current && sourceId ? (
              <Link href={`/knowledge/${sourceId}`} className="underline-offset-4 hover:underline">
                {current.title}
              </Link>
            ) : (
              title
            )}
          </h2>
          {sourceId === null && <Badge tone="accent">New question</Badge>}
          {isGone && <Badge tone="danger">Source deleted</Badge>}
          {decision && <Badge tone={decision === "accepted" ? "success" : "danger"}>{DECISIONS[decision]}</Badge>}
        </div>
        {note && <p className="wrap-anywhere whitespace-pre-line border-accent border-l-2 pl-3">{note}</p>}
        {current && !current.body && !decision && (
          <p className="text-muted">The current text is too long to be compared here. This is the suggested text:</p>
        )}
        <div className="max-h-96 overflow-y-auto rounded-md border border-border bg-subtle px-4 py-3">
          <TextDiff parts={parts} />
        </div>
        {reason && (
          <p className="wrap-anywhere whitespace-pre-line">
            <span className="font-medium">Reason: </span>
            {reason}
          </p>
        )}
      </CardBody>
      <CardFooter className="flex-wrap">
        <History suggestion={suggestion} />
        {isOwn && !canDecide && !decision && <WithdrawButton id={id} />}
        {canDecide && !decision && (
          <DecideButtons id={id} versionId={current?.versionId ?? null} content={content} canAccept={!isGone} />
        )}
      </CardFooter>
    </Card>
  );
}

const DECISIONS = { accepted: "Accepted", declined: "Declined" };

function History({ suggestion }: { suggestion: Suggestion }) {
  const { memberName, createdAt, requestId, decision, decidedBy, decidedAt } = suggestion;
  return (
    <span className="grid gap-0.5">
      <span>
        Suggested by {memberName ?? "a former member"}, <RelativeTime date={createdAt} />
        {requestId && (
          <>
            {" · "}
            <Link href={`/usage/requests/${requestId}`} className="text-accent underline underline-offset-4">
              Open request
            </Link>
          </>
        )}
      </span>
      {decision && decidedAt && (
        <span>
          {DECISIONS[decision]} by {decidedBy}, <RelativeTime date={decidedAt} />
        </span>
      )}
    </span>
  );
}
