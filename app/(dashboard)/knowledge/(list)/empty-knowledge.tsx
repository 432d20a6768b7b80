import BookOpen from "lucide-react/icons/book-open";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { Button } from "@/components/ui/button.tsx";

export function EmptyKnowledge({ canEdit }: { canEdit: boolean }) {
  if (!canEdit) {
    return (
      <EmptyState icon={BookOpen} title="Nothing is known yet">
        An admin of the company adds documents, or questions with their answers. They appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={BookOpen}
      title="Teach it what your company knows"
      actions={
        <>
          <Button asChild variant="secondary">
            <Link href="/knowledge/add?tab=question">Write a question</Link>
          </Button>
          <Button asChild>
            <Link href="/knowledge/add">Add files</Link>
          </Button>
        </>
      }
    >
      Add manuals, articles and policies as PDF, Word, Markdown or HTML, or write down the questions that people ask.
      Each is cut into passages, and the API answers with the ones that fit.
    </EmptyState>
  );
}
