import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader
        title="API Keys"
        description="Your systems ask the API with a key. Give each system its own, so that one can be ended without the others."
        actions={<Skeleton className="h-9 w-32" />}
      />
      <TableSkeleton rows={4} />
    </>
  );
}
