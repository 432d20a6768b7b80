import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader title="Overview" description="The last 30 days." />
      <Skeleton className="h-24 rounded-lg max-lg:h-48" />
      <Skeleton className="h-72 rounded-lg" />
    </>
  );
}
