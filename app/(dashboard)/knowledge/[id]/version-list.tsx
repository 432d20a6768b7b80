import Link from "next/link";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import { counted } from "@/lib/counted.ts";
import type { SourceDetails } from "@/lib/knowledge/browse/source-page.ts";
import { authorWords, STATE_WORDS } from "./version-words.ts";

/** The versions of a source, newest first. A version whose content is still stored links to what changed. */
export function VersionList({ id, versions }: Pick<SourceDetails, "id" | "versions">) {
  return (
    <Card>
      <CardHeader title="Versions" />
      <CardBody>
        <ol className="grid gap-2.5">
          {versions.map(({ number, state, chunkCount, error, createdAt, emptiedAt, ...author }) => (
            <li key={number} className="grid gap-0.5">
              <span className="flex items-baseline justify-between gap-3">
                <span className="tabular">
                  {emptiedAt === null && versions.length > 1 ? (
                    <Link
                      href={`/knowledge/${id}/versions/${number}`}
                      aria-label={`Version ${number}: what changed`}
                      className="font-medium text-accent underline underline-offset-4"
                    >
                      {number}
                    </Link>
                  ) : (
                    <span className="font-medium">{number}</span>
                  )}{" "}
                  <span className="text-muted">{STATE_WORDS[state]}</span>
                </span>
                <RelativeTime date={createdAt} className="text-muted text-sm" />
              </span>
              <span className="wrap-anywhere text-muted text-sm">
                {[authorWords(author), state === "current" && counted(chunkCount, "chunk")].filter(Boolean).join(" · ")}
              </span>
              {state === "failed" && error && <span className="text-danger text-sm">{error}</span>}
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
