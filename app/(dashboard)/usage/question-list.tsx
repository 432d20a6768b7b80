import { Card, CardBody, CardHeader } from "@/components/ui/card.tsx";

interface QuestionListProps {
  title: string;
  questions: { question: string; times: number }[];
  /** What to say when there are none. */
  empty: string;
}

export function QuestionList({ title, questions, empty }: QuestionListProps) {
  return (
    <Card>
      <CardHeader title={title} />
      <CardBody>
        {questions.length === 0 && <p className="text-muted">{empty}</p>}
        <ol className="grid gap-2">
          {questions.map(({ question, times }) => (
            <li key={question} className="flex items-baseline justify-between gap-4 text-sm">
              <span className="min-w-0 break-words">{question}</span>
              <span className="tabular text-muted">{times}×</span>
            </li>
          ))}
        </ol>
      </CardBody>
    </Card>
  );
}
