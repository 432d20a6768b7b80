"use client";

import { useSyncExternalStore } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import type { LabelsInput } from "@/lib/knowledge/intake/edit-input.ts";
import type { NamedFile } from "./dropped-files.ts";
import { NO_UPLOADS, type Upload, uploadQueue } from "./upload-queue.ts";

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
    add: (files: NamedFile[], labels: LabelsInput, widen: boolean) => void queue().add(files, labels, widen),
    retry: (upload: Upload) => queue().retry(upload),
    dismiss: () => queue().dismiss(),
  };
}
