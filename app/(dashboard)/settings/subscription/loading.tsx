import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader
        title="Subscription"
        description="Whether the API answers for this company, and how much it may be asked."
      />
      <Skeleton className="h-40 rounded-lg" />
      <Skeleton className="h-48 rounded-lg" />
      <TableSkeleton rows={3} />
    </>
  );
}
