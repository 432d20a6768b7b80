import SquareTerminal from "lucide-react/icons/square-terminal";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { AbsoluteTime } from "@/components/relative-time.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { PastRun } from "./past-run.ts";

interface IntroductionProps {
  /** The logged request that the form shows. */
  run: PastRun | null;
  /** What the link to the page names, if it cannot be shown. */
  missing: Missing | null;
}

export type Missing = "run" | "test question";

const MISSING: Record<Missing, { title: string; reason: string }> = {
  run: {
    title: "This run cannot be shown again",
    reason: "The log no longer has this run, or does not store its question.",
  },
  "test question": {
    title: "This test question does not exist",
    reason: "A member may have deleted it.",
  },
};

/** Says what to do before the first run. */
export function Introduction({ run, missing }: IntroductionProps) {
  if (run) {
    return (
      <EmptyState
        icon={SquareTerminal}
        title="Run this request again"
        actions={
          <Button variant="secondary" asChild>
            <Link href={`/usage/requests/${run.id}`}>Open request</Link>
          </Button>
        }
      >
        The form has the question and the settings of a request from <AbsoluteTime date={run.at} time />, without its
        context fields. The request's page shows what was returned then.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={SquareTerminal} title={missing ? MISSING[missing].title : "Ask a question"}>
      {missing && `${MISSING[missing].reason} `}
      Type a question as a customer would, then press Ctrl+Enter. You will see the chunks that were found, the answer
      made from them, and how each chunk was ranked. The playground works even while the API refuses requests.
    </EmptyState>
  );
}
