import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every API response has a request ID in its X-Request-Id header. Look it up here when someone reports a problem."
      />
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-20 rounded-md" />
      <TableSkeleton rows={10} />
    </>
  );
}
