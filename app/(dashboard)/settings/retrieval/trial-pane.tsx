"use client";

import { ErrorMessage } from "@/components/error-message.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import { counted } from "@/lib/counted.ts";
import type { Trial } from "@/lib/test-questions/try-settings.ts";
import { problemWords } from "../../test-questions/test-words.ts";
import { verdictOf } from "./trial-words.ts";
import type { useTrial } from "./use-trial.ts";

interface TrialPaneProps {
  trial: Pick<ReturnType<typeof useTrial>, "progress" | "tried" | "error" | "stop">;
  /** Whether the form still has the settings that were tried. */
  isCurrent: boolean;
}

/** The progress of a trial, and then its outcome. */
export function TrialPane({ trial: { progress, tried, error, stop }, isCurrent }: TrialPaneProps) {
  return (
    <div role="status" className="grid gap-6 empty:hidden">
      {progress && (
        <Card>
          <CardBody className="flex items-center justify-between gap-4">
            <span className="tabular">
              {progress.total === 0 ? "Starting" : `${progress.done} of ${progress.total} test questions asked`}
            </span>
            <Button variant="secondary" size="sm" onClick={stop}>
              Stop
            </Button>
          </CardBody>
        </Card>
      )}
      {error && <ErrorMessage>{error}</ErrorMessage>}
      {tried && <Outcome trial={tried.trial} isCurrent={isCurrent} />}
    </div>
  );
}

function Outcome({ trial, isCurrent }: { trial: Trial; isCurrent: boolean }) {
  const { asked, notAsked, passed, changes, names } = trial;
  return (
    <Card>
      <CardHeader
        title={verdictOf(trial)}
        description={isCurrent ? reasonOf(trial) : "The form has changed since. Try again to compare its settings."}
      />
      <CardBody className="grid gap-5">
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-border bg-border">
          {(["now", "proposed"] as const).map((side) => (
            <div key={side} className="grid gap-0.5 bg-surface px-4 py-3">
              <dt className="text-muted text-sm">{side === "now" ? "Saved settings" : "Proposed settings"}</dt>
              <dd className="tabular font-semibold text-lg">
                {passed[side]} of {asked} passed
              </dd>
            </div>
          ))}
        </dl>
        {notAsked > 0 && (
          <p className="text-muted text-sm">
            {counted(notAsked, "question")} could not be asked and {notAsked === 1 ? "is" : "are"} not counted.
          </p>
        )}
        {changes.length > 0 && <ChangedQuestions changes={changes} names={new Map(names)} />}
      </CardBody>
    </Card>
  );
}

function ChangedQuestions({ changes, names }: Pick<Trial, "changes"> & { names: Map<string, string> }) {
  return (
    <Table>
      <caption className="sr-only">Test questions that pass with only one of the settings</caption>
      <TableHead>
        <tr>
          <TableHeader>Question</TableHeader>
          <TableHeader>Saved</TableHeader>
          <TableHeader>Proposed</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {changes.map(({ id, question, passes, problems }) => (
          <TableRow key={id}>
            <TableCell className="w-full max-w-0 py-3 align-top">
              <p className="line-clamp-2 wrap-anywhere font-medium">{question}</p>
              {problems.map((problem) => (
                <p key={JSON.stringify(problem)} className="wrap-anywhere text-muted text-sm">
                  {passes === "now" ? "Proposed" : "Saved"}: {problemWords(problem, names)}
                </p>
              ))}
            </TableCell>
            <Outcomes passes={passes} />
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Outcomes({ passes }: { passes: "now" | "proposed" }) {
  return (["now", "proposed"] as const).map((side) => (
    <TableCell key={side} className="whitespace-nowrap py-3 align-top">
      {passes === side ? <span className="text-success">Passes</span> : <span className="text-danger">Fails</span>}
    </TableCell>
  ));
}

function reasonOf({ better, worse, winner, probability }: Trial): string {
  if (better + worse === 0) return "Every question has the same outcome with both settings.";
  const counts = `${counted(better, "question")} would newly pass, ${worse} would newly fail.`;
  const chance = `${Math.max(1, Math.round(100 * probability))}%`;
  const words = `${counts} If both settings were equally good, ${chance} of trials would still differ this much.`;
  return winner ? words : `${words} That is too many to call either one better.`;
}
