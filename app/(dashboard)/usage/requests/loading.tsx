import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader
        title="Requests"
        description="Every answer of the API carries its id in the header X-Request-Id: look it up here when somebody reports a problem."
      />
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-20 rounded-md" />
      <TableSkeleton rows={10} />
    </>
  );
}
