import SearchX from "lucide-react/icons/search-x";
import type { Metadata } from "next";
import Link from "next/link";
import { EmptyState } from "@/components/empty-state.tsx";
import { Button } from "@/components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={SearchX}
        title="Page not found"
        actions={
          <Button variant="secondary" asChild>
            <Link href="/overview">Back to the overview</Link>
          </Button>
        }
      >
        It was deleted, or it belongs to another company. If you are a member of several companies, switch company
        first.
      </EmptyState>
    </>
  );
}
