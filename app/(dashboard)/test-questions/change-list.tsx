import Link from "next/link";
import { AbsoluteTime, RelativeTime } from "@/components/relative-time.tsx";
import { counted } from "@/lib/counted.ts";
import type { Change, ChangesOfQuestion } from "@/lib/test-questions/changes.ts";
import type { TestQuestion } from "@/lib/test-questions/service.ts";
import { changeWords } from "./test-words.ts";

interface ChangeListProps {
  question: Pick<TestQuestion, "passedAt" | "failedAt">;
  /** Undefined when the question never passed. */
  found: ChangesOfQuestion | undefined;
}

/** When a question started to fail, and what had changed before. */
export function ChangeList({ question: { passedAt, failedAt }, found }: ChangeListProps) {
  if (!failedAt) return null;
  if (!passedAt) return <p className="text-muted text-sm">It has never passed.</p>;
  const { changes = [], more = 0 } = found ?? {};
  return (
    <div className="grid gap-1 text-sm">
      <p className="text-muted">
        First failed <RelativeTime date={failedAt} />; last passed on <AbsoluteTime date={passedAt} time />.{" "}
        {changes.length === 0 ? "No knowledge or setting changed in between." : "Changed in between:"}
      </p>
      {changes.length > 0 && (
        <ul className="grid gap-1">
          {changes.map((change) => (
            <li key={`${change.at.toISOString()} ${JSON.stringify(change.what)}`} className="wrap-anywhere">
              <ChangeLine change={change} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-muted">and {counted(more, "other change")}</p>}
    </div>
  );
}

function ChangeLine({ change }: { change: Change }) {
  const { what, at } = change;
  const address = addressOf(what);
  return (
    <>
      {"title" in what && (
        <>
          {address ? (
            <Link href={address} className="text-accent underline underline-offset-4">
              {what.title}
            </Link>
          ) : (
            what.title
          )}
          {": "}
        </>
      )}
      {what.kind === "retrieval" && address ? (
        <Link href={address} className="text-accent underline underline-offset-4">
          {changeWords(change)}
        </Link>
      ) : (
        changeWords(change)
      )}
      , <AbsoluteTime date={at} time />
    </>
  );
}

function addressOf(what: Change["what"]): string | null {
  if (what.kind === "version") return `/knowledge/${what.id}/versions/${what.number}`;
  if (what.kind === "retrieval") return "/settings/retrieval";
  return what.kind === "restored" ? `/knowledge/${what.id}` : null;
}
