"use client";

import UploadIcon from "lucide-react/icons/upload";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { unfinishedText } from "./unfinished-uploads.ts";
import { isPending, notUploaded } from "./upload-queue.ts";
import { useFailureElsewhere, useUploads } from "./use-uploads.ts";

const ADD_PAGE = "/knowledge/add";

interface UploadStatusProps {
  /** The person's companies. */
  companies: { id: string; name: string }[];
}

/**
 * A banner about pending, failed or unfinished uploads, on every page except the one that adds knowledge, which lists
 * them. Failed uploads to another company are reported on that page too.
 */
export function UploadStatus({ companies }: UploadStatusProps) {
  const { uploads, unfinished, hasNewFailure } = useUploads();
  const failureElsewhere = useFailureElsewhere(companies);
  const isListed = usePathname() === ADD_PAGE;
  const pending = uploads.filter(isPending).length;
  if (!isListed && pending > 0) {
    const place = uploads.length - pending + 1;
    return <Banner link="Show uploads">{`Uploading ${place} of ${uploads.length}. Keep this tab open.`}</Banner>;
  }
  if (!isListed && hasNewFailure) {
    return <Banner link="Show uploads">{`${unfinishedText(notUploaded({ uploads, unfinished }))}.`}</Banner>;
  }
  if (failureElsewhere) return <Banner>{failureElsewhere}</Banner>;
  return !isListed && unfinished && <Banner link="Finish uploading">{`${unfinishedText(unfinished)}.`}</Banner>;
}

function Banner({ children, link }: { children: string; link?: string }) {
  return (
    <div role="status" className="flex items-center gap-3 border-border border-b bg-subtle px-4 py-2.5 text-sm sm:px-8">
      <UploadIcon className="size-4 shrink-0 text-muted" aria-hidden />
      <p className="wrap-anywhere min-w-0 flex-1">
        {children}{" "}
        {link && (
          <Link href={ADD_PAGE} className="font-medium underline underline-offset-4">
            {link}
          </Link>
        )}
      </p>
    </div>
  );
}
