import Pencil from "lucide-react/icons/pencil";
import Link from "next/link";
import { AbsoluteTime, RelativeTime } from "@/components/relative-time.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardFooter } from "@/components/ui/card.tsx";
import { counted } from "@/lib/counted.ts";
import type { Gap } from "@/lib/usage/gaps/list.ts";
import { timesWords } from "../format-figures.ts";
import { type Assignable, GapActions } from "./gap-actions.tsx";

interface GapCardProps {
  gap: Gap;
  members: Assignable[];
  /** Whether the member adds knowledge, or suggests it to an admin. */
  canEdit: boolean;
  /** Whether the list holds only what is assigned to the member. */
  isMine: boolean;
}

/** Questions with the same meaning, with the keys that ask them and the actions to close the gap. */
export function GapCard({ gap, members, canEdit, isMine }: GapCardProps) {
  const { id, questions, times, reports, keys, lastAskedAt, snoozedUntil, dismissedAt, dismissReason } = gap;
  const [first, ...others] = questions;
  if (!first) return null;
  const { text: question, requestId } = first;
  const write = canEdit
    ? `/knowledge/add?${new URLSearchParams({ tab: "question", question })}`
    : `/knowledge/suggestions/new?${new URLSearchParams({ question, request: requestId })}`;
  const isSnoozed = snoozedUntil !== null && snoozedUntil > new Date();
  return (
    <Card>
      <CardBody className="grid gap-2">
        <h2 className="wrap-anywhere font-semibold text-base">{question}</h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-muted text-sm">
          {times > 0 && <Badge tone="warning">Unanswered {timesWords(times)}</Badge>}
          {reports > 0 && <Badge tone="danger">{counted(reports, "open report")}</Badge>}
          <span>
            Last asked <RelativeTime date={lastAskedAt} />
          </span>
          {keys.length > 0 && <span className="wrap-anywhere">{keyWords(gap)}</span>}
        </p>
        {others.length > 0 && (
          <details>
            <summary className="cursor-pointer text-accent text-sm max-sm:py-2">
              {counted(others.length, "other phrasing")}
            </summary>
            <ul className="grid gap-1 pt-2 pl-4">
              {others.map(({ text, times, requestId }) => (
                <li key={text} className="flex items-baseline justify-between gap-4">
                  <Link
                    href={`/usage/requests/${requestId}`}
                    className="wrap-anywhere underline-offset-4 hover:underline"
                  >
                    {text}
                  </Link>
                  <span className="tabular shrink-0 text-muted text-sm">{times > 0 && timesWords(times)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        {dismissedAt && (
          <p className="wrap-anywhere text-muted">
            Dismissed by {gap.dismissedBy}, <RelativeTime date={dismissedAt} />: {dismissReason}
          </p>
        )}
        {isSnoozed && (
          <p className="text-muted">
            Snoozed until <AbsoluteTime date={snoozedUntil} />
          </p>
        )}
      </CardBody>
      <CardFooter className="flex-wrap gap-3">
        <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button asChild variant="secondary" size="sm">
            <Link href={write}>
              <Pencil aria-hidden />
              {canEdit ? "Write the answer" : "Suggest an answer"}
            </Link>
          </Button>
          <Link
            href={`/usage/requests/${requestId}`}
            className="text-accent underline-offset-4 hover:underline max-sm:py-2"
          >
            Open request
          </Link>
        </span>
        <GapActions
          id={id}
          question={question}
          assigneeId={gap.assigneeId}
          members={members}
          isHidden={isSnoozed || dismissedAt !== null}
          isMine={isMine}
        />
      </CardFooter>
    </Card>
  );
}

const KEYS_SHOWN = 3;

/** "Website: 12, Intercom: 3 and 2 more keys". */
function keyWords({ keys }: Gap): string {
  const named = keys
    .slice(0, KEYS_SHOWN)
    .map(({ id, name, times }) => `${id ? (name ?? "A deleted key") : "Command line"}: ${times}`);
  const more = keys.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${counted(more, "more key")}` : "");
}
