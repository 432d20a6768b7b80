import BookOpen from "lucide-react/icons/book-open";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { Button } from "@/components/ui/button.tsx";

export function EmptyKnowledge({ canEdit }: { canEdit: boolean }) {
  if (!canEdit) {
    return (
      <EmptyState icon={BookOpen} title="No knowledge yet">
        Documents, questions and answers appear here once an admin adds them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={BookOpen}
      title="Add what your company knows"
      actions={
        <>
          <Button asChild variant="secondary">
            <Link href="/knowledge/add?tab=question">Add a question</Link>
          </Button>
          <Button asChild>
            <Link href="/knowledge/add">Add files</Link>
          </Button>
        </>
      }
    >
      Add manuals, articles and policies as PDF, Word, Markdown or HTML, or write down the questions that people ask.
      Ragstone splits each source into chunks, and the API returns the chunks that match a question.
    </EmptyState>
  );
}
