"use client";

import UploadIcon from "lucide-react/icons/upload";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { unfinishedText } from "./unfinished-uploads.ts";
import { isPending } from "./upload-queue.ts";
import { useUploads } from "./use-uploads.ts";

const ADD_PAGE = "/knowledge/add";

/** A banner about pending or unfinished uploads, on every page except the one that adds knowledge. */
export function UploadStatus() {
  const { uploads, unfinished } = useUploads();
  const pathname = usePathname();
  const pending = uploads.filter(isPending).length;
  if (pathname === ADD_PAGE) return null;
  if (pending > 0) {
    const place = uploads.length - pending + 1;
    return <Banner link="Show uploads">{`Uploading ${place} of ${uploads.length}. Keep this tab open.`}</Banner>;
  }
  return unfinished && <Banner link="Finish uploading">{`${unfinishedText(unfinished)}.`}</Banner>;
}

function Banner({ children, link }: { children: string; link: string }) {
  return (
    <div role="status" className="flex items-center gap-3 border-border border-b bg-subtle px-4 py-2.5 text-sm sm:px-8">
      <UploadIcon className="size-4 shrink-0 text-muted" aria-hidden />
      <p className="min-w-0 flex-1">
        {children}{" "}
        <Link href={ADD_PAGE} className="font-medium underline underline-offset-4">
          {link}
        </Link>
      </p>
    </div>
  );
}
