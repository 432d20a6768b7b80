"use client";

import Link from "next/link";
import { ErrorMessage } from "@/components/error-message.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { Card, CardSplit } from "@/components/ui/card.tsx";
import { SwitchField } from "@/components/ui/toggle-field.tsx";
import { useAction } from "@/components/use-action.ts";
import { counted } from "@/lib/counted.ts";
import type { ScoreCalibration } from "@/lib/db/stored-json.ts";
import { switchCalibrationAction } from "./actions.ts";

interface ScoreCardProps {
  isOn: boolean;
  calibration: Omit<ScoreCalibration, "curves"> | null;
  /** Judged questions that a calibration needs. */
  questionsMin: number;
  isAdmin: boolean;
}

/** Switches the calibration of scores, and says what it changes. */
export function ScoreCard({ isOn, calibration, questionsMin, isAdmin }: ScoreCardProps) {
  const { run, error } = useAction(switchCalibrationAction, {
    success: isOn ? "Scores are no longer calibrated" : "Scores are calibrated",
  });
  return (
    <Card>
      <CardSplit
        title="Scores"
        description="A calibrated score is the chance that a result is from the right source, so a threshold of 0.5 keeps results with at least an even chance. The order of results stays the same."
      >
        <SwitchField
          label="Calibrate scores"
          hint="This setting applies to all requests from now on. Check the thresholds that your systems send."
          checked={isOn}
          disabled={!isAdmin || (!isOn && calibration === null)}
          onCheckedChange={(on) => void run({ on })}
        />
        <ErrorMessage>{error}</ErrorMessage>
        {calibration ? (
          <Measured calibration={calibration} />
        ) : (
          <p className="text-muted">
            {isOn && "Scores are not calibrated at the moment. "}This needs {questionsMin} test questions that expect a
            source or a refusal, and a run that asks them.{" "}
            <Link href="/test-questions" className="text-accent underline underline-offset-4">
              Go to test questions
            </Link>
          </p>
        )}
      </CardSplit>
    </Card>
  );
}

function Measured({ calibration }: { calibration: Omit<ScoreCalibration, "curves"> }) {
  const { error, questions, results, at } = calibration;
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-border bg-border">
        {(["before", "after"] as const).map((side) => (
          <div key={side} className="grid gap-0.5 bg-surface px-4 py-3">
            <dt className="text-muted text-sm">Calibration error {side}</dt>
            <dd className="tabular font-semibold text-lg">{error[side].toFixed(3)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-sm">
        The mean distance between score and chance (ECE), cross-validated: each question was judged by a calibration
        that had not seen it. Measured on {counted(questions, "test question")} with {counted(results, "result")},{" "}
        <AbsoluteTime date={new Date(at)} time />. It is measured again after every run that asks enough of them.
      </p>
      {error.after >= error.before && (
        <p className="text-sm text-warning">Calibration does not improve your scores. More test questions may help.</p>
      )}
    </div>
  );
}
