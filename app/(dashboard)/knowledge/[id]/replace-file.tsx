"use client";

import Upload from "lucide-react/icons/upload";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import { notify } from "@/components/notify.ts";
import { Button } from "@/components/ui/button.tsx";
import type { Accepted } from "@/lib/knowledge/intake/accept.ts";
import { extensionOf, formatByName } from "@/lib/knowledge/parse/formats.ts";
import { sendFile } from "../add/send-file.ts";

/** A file that keeps the labels of the source. */
const SAME_LABELS = JSON.stringify({ audience: [], contentCategory: "", path: "" });

interface ReplaceFileProps {
  sourceId: string;
  /** The name of the file that is replaced, which the new file gets. If it names a type, the new file must be of it. */
  fileName: string;
}

/** Replaces the file of a source by a new version. */
export function ReplaceFile({ sourceId, fileName }: ReplaceFileProps) {
  const router = useRouter();
  const companyId = useCompanyId();
  const input = useRef<HTMLInputElement>(null);
  const [pending, setPending] = useState(false);
  const type = typeOf(fileName);

  async function replace(file: File): Promise<void> {
    if (type !== "" && extensionOf(file.name) !== type) {
      notify(`Choose a ${type} file. Add a file of another type as a new source.`, { kind: "error" });
      return;
    }
    setPending(true);
    const query = new URLSearchParams({ name: sourceId, fileName, labels: SAME_LABELS });
    const result = await sendFile<Accepted>(`/knowledge/upload?${query}`, file, { companyId });
    setPending(false);
    if (!result.ok) {
      notify(result.error, { kind: "error" });
      return;
    }
    if (result.data.unchanged) notify("This file is unchanged. No new version was made.", { kind: "message" });
    else notify("File replaced");
    router.refresh();
  }

  return (
    <>
      <Button variant="secondary" pending={pending} onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        Replace file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={type}
        aria-label="New file"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // so that the same file can be chosen again
          target.value = "";
          if (file) void replace(file);
        }}
      />
    </>
  );
}

/** The extension of a supported format; empty for a name such as `manual` or `terms-2.1`. */
function typeOf(name: string): string {
  const extension = extensionOf(name);
  return formatByName(extension) ? extension : "";
}
