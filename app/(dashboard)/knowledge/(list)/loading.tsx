import { Skeleton, TableSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <div className="grid gap-2">
        <Skeleton className="h-7 w-40" />
        <Skeleton className="w-80 max-w-full" />
      </div>
      <Skeleton className="h-9 rounded-md max-sm:h-11" />
      <TableSkeleton rows={10} />
    </>
  );
}
