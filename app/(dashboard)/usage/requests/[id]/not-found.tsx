import FileQuestion from "lucide-react/icons/file-question-mark";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { PageHeader } from "@/components/page-header.tsx";
import { Button } from "@/components/ui/button.tsx";

export default function NoSuchRequest() {
  return (
    <>
      <PageHeader title="Request" />
      <EmptyState
        icon={FileQuestion}
        title="No request with this id"
        actions={
          <Button variant="secondary" asChild>
            <Link href="/usage/requests">All requests</Link>
          </Button>
        }
      >
        It may be older than the log goes back, have come with a key that nobody knows, or belong to another company.
        One that was just answered is here a moment later.
      </EmptyState>
    </>
  );
}
