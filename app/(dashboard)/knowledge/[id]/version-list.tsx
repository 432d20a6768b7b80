import { RelativeTime } from "@/components/relative-time.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { counted } from "@/lib/counted.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";

const WORDS = { building: "Processing", current: "Served", superseded: "Replaced", failed: "Failed" };

export function VersionList({ versions }: { versions: SourceDetails["versions"] }) {
  return (
    <Card>
      <CardHeader title="Versions" />
      <CardBody>
        <ol className="grid gap-2.5">
          {versions.map(({ number, state, chunkCount, error, createdAt }) => (
            <li key={number} className="grid gap-0.5">
              <span className="flex items-baseline justify-between gap-3">
                <span className="tabular">
                  <span className="font-medium">{number}</span> <span className="text-muted">{WORDS[state]}</span>
                </span>
                <RelativeTime date={createdAt} className="text-muted text-sm" />
              </span>
              {state === "failed" && error && <span className="text-danger text-sm">{error}</span>}
              {state === "current" && <span className="text-muted text-sm">{counted(chunkCount, "chunk")}</span>}
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
