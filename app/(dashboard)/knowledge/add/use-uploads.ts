"use client";

import { useSyncExternalStore } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import type { CheckedFile } from "./dropped-files.ts";
import { unfinishedText } from "./unfinished-uploads.ts";
import { isPending, NO_UPLOADS, notUploaded, type Upload, uploadQueue } from "./upload-queue.ts";

/** This tab's uploads to the page's company, whichever page started them. */
export function useUploads() {
  const companyId = useCompanyId() ?? "";
  const uploads = useSyncExternalStore(
    (listener) => uploadQueue(companyId).subscribe(listener),
    () => uploadQueue(companyId).current(),
    () => NO_UPLOADS,
  );
  const queue = () => uploadQueue(companyId);
  return {
    ...uploads,
    add: (files: CheckedFile[]) => void queue().add(files),
    retry: (upload: Upload) => queue().retry(upload),
    dismiss: () => queue().dismiss(),
    markSeen: () => queue().markSeen(),
  };
}

/** Says that uploads to another company failed: those that were pending when the person switched the company do. */
export function useFailureElsewhere(companies: { id: string; name: string }[]): string | null {
  const companyId = useCompanyId();
  const others = companies.filter(({ id }) => id !== companyId);
  return useSyncExternalStore(
    (listener) => {
      const unsubscribe = others.map(({ id }) => uploadQueue(id).subscribe(listener));
      return () => unsubscribe.forEach((end) => void end());
    },
    () => others.map(failureText).find((text) => text !== null) ?? null,
    () => null,
  );
}

function failureText({ id, name }: { id: string; name: string }): string | null {
  const uploads = uploadQueue(id).current();
  if (!uploads.hasNewFailure || uploads.uploads.some(isPending)) return null;
  return `${unfinishedText(notUploaded(uploads))} to ${name}. Switch to that company to retry.`;
}
