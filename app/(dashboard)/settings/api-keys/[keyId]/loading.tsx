import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <Skeleton className="h-5 w-20" />
      <div className="grid gap-2">
        <Skeleton className="h-7 w-56" />
        <Skeleton className="h-5 w-72" />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-64 rounded-lg" />
        <Skeleton className="h-32 rounded-lg" />
      </div>
      <TableSkeleton rows={4} />
    </>
  );
}
