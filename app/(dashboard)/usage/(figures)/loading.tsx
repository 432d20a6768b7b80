import { PageHeader } from "@/components/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <PageHeader
        title="Usage"
        description="Questions asked through the API and in the playground, and how they were answered."
      />
      <Skeleton className="h-9 w-72" />
      <Skeleton className="h-9 w-96 max-w-full rounded-md" />
      <Skeleton className="h-24 rounded-lg max-lg:h-48" />
      <Skeleton className="h-72 rounded-lg" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </>
  );
}
