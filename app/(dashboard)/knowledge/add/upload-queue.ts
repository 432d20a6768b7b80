import type { Accepted } from "@/lib/knowledge/intake/accept.ts";
import { WIDEN } from "@/lib/knowledge/intake/widen-path.ts";
import { FILE_BYTES_MAX } from "@/lib/knowledge/limits.ts";
import type { LabelChange } from "@/lib/label-changes.ts";
import type { CheckedFile } from "./dropped-files.ts";
import { sendFile } from "./send-file.ts";
import { readUnfinished, type UnfinishedUploads, writeUnfinished } from "./unfinished-uploads.ts";

const PARALLEL_UPLOADS = 3;
/** Attempts to send one file while the server is busy. */
const MAX_ATTEMPTS = 5;
/** Bytes at the start of a file that are read to recognise its type. */
const HEAD_BYTES = 1024;

type UploadState =
  | { kind: "waiting" }
  | { kind: "sending"; share: number }
  | { kind: "done"; id: string; unchanged: boolean; changes: LabelChange[] }
  | { kind: "failed"; error: string }
  /** A retry cannot help. */
  | { kind: "refused"; error: string };

export interface Upload extends CheckedFile {
  key: number;
  state: UploadState;
}

interface Uploads {
  /** Newest first. */
  uploads: Upload[];
  /** Files that were not uploaded when the page was last closed. */
  unfinished: UnfinishedUploads | null;
  /** Whether a file was not uploaded since the list of uploads was last shown. */
  hasNewFailure: boolean;
}

export const NO_UPLOADS: Uploads = { uploads: [], unfinished: null, hasNewFailure: false };

const SAME_NAME: UploadState = {
  kind: "refused",
  error: "Another file of this upload has the same name. Rename one of them and add it again.",
};

type UploadQueue = ReturnType<typeof createUploadQueue>;

const queues = new Map<string, UploadQueue>();

/** This tab's uploads to a company. They continue while other pages of the dashboard are shown. */
export function uploadQueue(companyId: string): UploadQueue {
  const known = queues.get(companyId);
  if (known) return known;
  const queue = createUploadQueue(companyId);
  queues.set(companyId, queue);
  return queue;
}

export function isPending({ state }: Upload): boolean {
  return state.kind === "waiting" || state.kind === "sending";
}

/** The files of this tab that were not uploaded, including those of earlier page loads. */
export function notUploaded({ uploads, unfinished }: Omit<Uploads, "hasNewFailure">): UnfinishedUploads {
  return {
    missing: [...(unfinished?.missing ?? []), ...uploads.filter(isFailure)],
    arrived: (unfinished?.arrived ?? 0) + uploads.filter(({ state }) => state.kind === "done").length,
  };
}

export function isFailure({ state }: Pick<Upload, "state">): boolean {
  return state.kind === "failed" || state.kind === "refused";
}

/** Sends a few files at a time. A failed file does not stop the others and can be retried. */
function createUploadQueue(companyId: string) {
  let shown: Uploads = { ...NO_UPLOADS, unfinished: readUnfinished(companyId) };
  const listeners = new Set<() => void>();
  const waiting: Upload[] = [];
  let sending = 0;
  let lastKey = 0;

  function show(next: Uploads): void {
    shown = next;
    for (const listener of listeners) listener();
  }

  function update(key: number, state: UploadState): void {
    show({
      ...shown,
      uploads: shown.uploads.map((each) => (each.key === key ? { ...each, state } : each)),
      hasNewFailure: shown.hasNewFailure || isFailure({ state }),
    });
    if (state.kind !== "sending") storeUnfinished();
  }

  /** Stores the unfinished uploads for the next page load, and makes the browser confirm closing the page. */
  function storeUnfinished(): void {
    const { uploads, unfinished } = shown;
    const missing = lastOfEachName(uploads).filter(({ state }) => state.kind !== "done");
    const done = uploads.filter(({ state }) => state.kind === "done").length;
    writeUnfinished(companyId, {
      missing: [...(unfinished?.missing ?? []), ...missing.map(({ name, labels }) => ({ name, labels }))],
      arrived: (unfinished?.arrived ?? 0) + done,
    });
    if (uploads.some(isPending)) window.addEventListener("beforeunload", confirmLeave);
    else window.removeEventListener("beforeunload", confirmLeave);
  }

  async function send(upload: Upload, attempt = 1): Promise<void> {
    const { key, name, file, labels, widenTo } = upload;
    update(key, { kind: "sending", share: 0 });
    const lists = { labels: JSON.stringify(labels), widenTo: JSON.stringify(widenTo) };
    const address = new URLSearchParams({ name, ...lists });
    const result = await sendFile<Accepted>(`/knowledge/upload?${address}`, file, {
      companyId,
      onProgress: (share) => update(key, { kind: "sending", share }),
    });
    if (result.ok) return update(key, { kind: "done", ...result.data });
    if (result.retryAfter === undefined || attempt === MAX_ATTEMPTS) {
      // its audiences changed after the question, so a retry would be refused again
      const isWidening = result.issues[0]?.path === WIDEN;
      return update(
        key,
        isWidening
          ? { kind: "refused", error: `${result.error} Add the file again to confirm.` }
          : { kind: "failed", error: result.error },
      );
    }
    update(key, { kind: "waiting" });
    await new Promise((resolve) => setTimeout(resolve, Number(result.retryAfter) * 1_000));
    return send(upload, attempt + 1);
  }

  function sendWaiting(): void {
    while (sending < PARALLEL_UPLOADS) {
      const next = waiting.shift();
      if (!next) return;
      sending++;
      void send(next).then(() => {
        sending--;
        sendWaiting();
      });
    }
  }

  return {
    current: () => shown,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async add(files: CheckedFile[]): Promise<void> {
      const names = new Set<string>();
      const added = await Promise.all(
        files.map(async (each): Promise<Upload> => {
          const { name, file } = each;
          lastKey++;
          const key = lastKey;
          // it would replace the other one
          const isRepeated = names.has(name);
          names.add(name);
          const state = isRepeated ? SAME_NAME : ((await findRefusal(name, file)) ?? { kind: "waiting" });
          return { ...each, key, state };
        }),
      );
      show({
        uploads: [...added, ...shown.uploads],
        unfinished: withoutNames(shown.unfinished, names),
        hasNewFailure: shown.hasNewFailure || added.some(isFailure),
      });
      storeUnfinished();
      waiting.push(...added.filter(isPending));
      sendWaiting();
    },
    retry(upload: Upload): void {
      update(upload.key, { kind: "waiting" });
      waiting.push(upload);
      sendWaiting();
    },
    /** To be called while the list of uploads is shown. */
    markSeen(): void {
      if (shown.hasNewFailure) show({ ...shown, hasNewFailure: false });
    },
    /** Dismisses the files that were not uploaded before. */
    dismiss(): void {
      show({ ...shown, unfinished: null });
      storeUnfinished();
    },
  };
}

/** Without refused files. An earlier upload of the same name must not bring its labels back. */
function lastOfEachName(uploads: Upload[]): Upload[] {
  const names = new Set<string>();
  return uploads.filter(({ name, state }) => {
    if (state.kind === "refused" || names.has(name)) return false;
    names.add(name);
    return true;
  });
}

function confirmLeave(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function withoutNames(unfinished: UnfinishedUploads | null, names: ReadonlySet<string>): UnfinishedUploads | null {
  const missing = unfinished?.missing.filter(({ name }) => !names.has(name)) ?? [];
  return unfinished && missing.length > 0 ? { ...unfinished, missing } : null;
}

async function findRefusal(name: string, file: File): Promise<UploadState | null> {
  if (file.size === 0) return { kind: "refused", error: "The file is empty." };
  if (file.size > FILE_BYTES_MAX) return { kind: "refused", error: "The file is larger than 50 MB. Split it." };
  // loaded with the first upload; without it, the server refuses these files
  const formats = await import("@/lib/knowledge/parse/refused-formats.ts").catch(() => null);
  try {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const error = formats?.refusalByName(name, new TextDecoder("latin1").decode(head));
    return error ? { kind: "refused", error } : null;
  } catch {
    return { kind: "refused", error: "The file cannot be read. Check that it still exists." };
  }
}
