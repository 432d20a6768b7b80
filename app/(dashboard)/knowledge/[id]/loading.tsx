import { Skeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <div className="grid gap-2">
        <Skeleton className="w-24" />
        <Skeleton className="h-7 w-96 max-w-full" />
        <Skeleton className="w-60" />
      </div>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-4">
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
          <Skeleton className="h-40 rounded-lg" />
        </div>
        <Skeleton className="h-80 rounded-lg max-lg:row-start-1" />
      </div>
    </>
  );
}
