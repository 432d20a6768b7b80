import Link from "next/link";
import { playgroundLink } from "@/components/playground-link.ts";
import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";
import type { QuestionCount } from "@/lib/usage/count-questions.ts";
import { timesWords } from "./format-figures.ts";

interface QuestionListProps {
  title: string;
  description?: string;
  questions: QuestionCount[];
  /** Text for an empty list. */
  empty: string;
  /** URL of all unanswered requests. */
  more?: string | null;
}

/** Questions with their counts. Each links to the playground. */
export function QuestionList({ title, description, questions, empty, more }: QuestionListProps) {
  return (
    <Card>
      <CardHeader
        title={title}
        description={description}
        actions={
          more && (
            <Link href={more} className="text-accent text-sm underline-offset-4 hover:underline">
              All unanswered requests
            </Link>
          )
        }
      />
      <CardBody className="px-3 pt-3">
        {questions.length === 0 && <p className="px-2 py-1 text-muted">{empty}</p>}
        <ol className="grid">
          {questions.map(({ question, times }) => (
            <li key={question}>
              <Link
                href={playgroundLink(question)}
                className="flex items-baseline justify-between gap-4 rounded-md px-2 py-1.5 hover:bg-hover"
              >
                <span className="line-clamp-2 min-w-0">{question}</span>
                <span className="tabular shrink-0 text-muted text-sm">{timesWords(times)}</span>
              </Link>
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
