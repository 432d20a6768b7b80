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
        title="No request with this ID"
        actions={
          <Button variant="secondary" asChild>
            <Link href="/usage/requests">All requests</Link>
          </Button>
        }
      >
        The log contains questions and refused requests. It does not contain requests that are older than the log, used
        an unknown key, belong to another company or asked no question. New requests appear after a moment.
      </EmptyState>
    </>
  );
}
