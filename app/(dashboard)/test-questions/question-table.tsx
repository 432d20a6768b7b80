import Link from "next/link";
import { RelativeTime } from "@/components/relative-time.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table.tsx";
import type { ChangesOfQuestion } from "@/lib/test-questions/changes.ts";
import type { TestQuestion } from "@/lib/test-questions/service.ts";
import { ChangeList } from "./change-list.tsx";
import type { KeyOption } from "./key-options.ts";
import { QuestionMenu } from "./question-menu.tsx";
import { StateBadge } from "./state-badge.tsx";
import { expectationWords, problemWords } from "./test-words.ts";

interface QuestionTableProps {
  questions: TestQuestion[];
  changes: Map<string, ChangesOfQuestion>;
  keys: KeyOption[];
  /** What people call sources, by the caller's identifier. */
  names: Map<string, string>;
  /** The requests that are still in the log, by id. */
  requests: Set<string>;
}

export function QuestionTable({ questions, changes, keys, names, requests }: QuestionTableProps) {
  return (
    <Table>
      <caption className="sr-only">Test questions, failing ones first</caption>
      <TableHead>
        <tr>
          <TableHeader>Question</TableHeader>
          <TableHeader className="max-md:hidden">State</TableHeader>
          <TableHeader className="max-md:hidden">Last run</TableHeader>
          <TableHeader>
            <span className="sr-only">Actions</span>
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {questions.map((question) => (
          <QuestionRow
            key={question.id}
            question={question}
            found={changes.get(question.id)}
            keys={keys}
            names={names}
            hasRequest={question.requestId !== null && requests.has(question.requestId)}
          />
        ))}
        {questions.length === 0 && (
          <tr>
            <TableCell colSpan={4} className="py-10 text-center text-muted">
              No matching test questions. Remove a filter.
            </TableCell>
          </tr>
        )}
      </TableBody>
    </Table>
  );
}

interface QuestionRowProps extends Pick<QuestionTableProps, "keys" | "names"> {
  question: TestQuestion;
  found: ChangesOfQuestion | undefined;
  /** Whether the log still has the request that the question comes from. */
  hasRequest: boolean;
}

function QuestionRow({ question: row, found, keys, names, hasRequest }: QuestionRowProps) {
  const { id, updatedAt, question, apiKeyId, expectedSource, excludedSource, facts, mustRefuse, requestId } = row;
  const values = {
    ...{ id, updatedAt, question, apiKeyId, facts, mustRefuse, requestId },
    ...{ expectedSource: expectedSource ?? "", excludedSource: excludedSource ?? "" },
  };
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 py-3 align-top">
        <div className="grid gap-1">
          <p className="md:hidden">
            <StateBadge state={row.state ?? "new"} />
          </p>
          <p className="line-clamp-3 wrap-anywhere font-medium">{question}</p>
          <p className="wrap-anywhere text-muted text-sm">{expectationLine(row, { keys, names })}</p>
          {row.state !== "passed" &&
            row.outcome?.problems.map((problem) => (
              <p key={JSON.stringify(problem)} className="wrap-anywhere text-danger text-sm">
                {problemWords(problem, names)}
              </p>
            ))}
          {row.state === "failed" && row.outcome?.answer && (
            <p className="line-clamp-3 wrap-anywhere border-border border-l-2 pl-3 text-muted text-sm">
              {row.outcome.answer}
            </p>
          )}
          {row.state === "failed" && <ChangeList question={row} found={found} />}
          {hasRequest && (
            <Link
              href={`/usage/requests/${requestId}`}
              className="justify-self-start text-accent text-sm underline-offset-4 hover:underline"
            >
              From a request
            </Link>
          )}
          {requestId && !hasRequest && (
            <p className="text-muted text-sm">From a request that is no longer in the log</p>
          )}
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap py-3 align-top max-md:hidden">
        <StateBadge state={row.state ?? "new"} />
      </TableCell>
      <TableCell className="whitespace-nowrap py-3 align-top text-muted max-md:hidden">
        {row.checkedAt ? <RelativeTime date={row.checkedAt} /> : "–"}
      </TableCell>
      <TableCell className="py-2 align-top">
        <QuestionMenu question={values} />
      </TableCell>
    </TableRow>
  );
}

function expectationLine(row: TestQuestion, { keys, names }: Pick<QuestionTableProps, "keys" | "names">): string {
  const key = row.apiKeyId && (keys.find(({ id }) => id === row.apiKeyId)?.name ?? "an expired or revoked key");
  const hasFilters = Object.keys(row.filters).length > 0;
  const asked = [key && `as ${key}`, hasFilters && "with the filters of its request"].filter(Boolean).join(", ");
  return [...expectationWords(row, names), asked && `Asked ${asked}`].filter(Boolean).join(" · ");
}
