"use client";

import { useRef, useState } from "react";
import { useCompanyId } from "@/components/company-context.tsx";
import type { Accepted } from "@/lib/knowledge/accept.ts";
import type { LabelsInput } from "@/lib/knowledge/edit-input.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import type { NamedFile } from "./dropped-files.ts";
import { sendFile } from "./send-file.ts";

const AT_ONCE = 3;

export type UploadState =
  | { kind: "waiting" }
  | { kind: "sending"; share: number }
  | { kind: "done"; id: string; unchanged: boolean }
  | { kind: "failed"; error: string };

export interface Upload extends NamedFile {
  key: number;
  labels: LabelsInput;
  state: UploadState;
}

/** Sends files to the knowledge base, a few at a time; a file that fails, fails alone and can be sent again. */
export function useUploads() {
  const companyId = useCompanyId();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const queue = useRef<Upload[]>([]);
  const sending = useRef(0);
  const lastKey = useRef(0);

  function update(key: number, state: UploadState): void {
    setUploads((all) => all.map((each) => (each.key === key ? { ...each, state } : each)));
  }

  async function send({ key, name, file, labels }: Upload): Promise<void> {
    sending.current++;
    update(key, { kind: "sending", share: 0 });
    const address = new URLSearchParams({ name, labels: JSON.stringify(labels) });
    const result = await sendFile<Accepted>(`/knowledge/upload?${address}`, file, {
      companyId,
      onProgress: (share) => update(key, { kind: "sending", share }),
    });
    update(
      key,
      result.ok
        ? { kind: "done", id: result.data.id, unchanged: result.data.unchanged }
        : { kind: "failed", error: result.error },
    );
    sending.current--;
    work();
  }

  function work(): void {
    while (sending.current < AT_ONCE) {
      const next = queue.current.shift();
      if (!next) return;
      void send(next);
    }
  }

  function enqueue(added: Upload[]): void {
    queue.current.push(...added.filter(({ state }) => state.kind === "waiting"));
    work();
  }

  return {
    uploads,
    add(files: NamedFile[], labels: LabelsInput): void {
      const added = files.map(({ name, file }): Upload => {
        lastKey.current++;
        return { key: lastKey.current, name, file, labels, state: refusal(file) ?? { kind: "waiting" } };
      });
      setUploads((all) => [...added, ...all]);
      enqueue(added);
    },
    retry(upload: Upload): void {
      update(upload.key, { kind: "waiting" });
      enqueue([{ ...upload, state: { kind: "waiting" } }]);
    },
  };
}

/** Known before anything is sent. */
function refusal({ size }: File): UploadState | null {
  if (size === 0) return { kind: "failed", error: "The file is empty." };
  if (size > FILE_BYTES_MAX) return { kind: "failed", error: "The file is larger than 50 MB. Split it." };
  return null;
}
