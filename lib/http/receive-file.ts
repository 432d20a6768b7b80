import type { TenantScope } from "../db/tenant.ts";
import { companyQueue } from "../retrieval/company-queue.ts";
import { yieldToSearches } from "../retrieval/search-queue.ts";
import { singleton } from "../singleton.ts";
import { type SpooledFile, withSpooled } from "../storage/spool.ts";
import type { ApiRequest } from "./api-request.ts";
import { type FormParts, fileOfForm, formBoundary } from "./multipart.ts";
import { limitFile, receive } from "./receive.ts";

/** Files of one company to receive at a time. The bodies of further files wait in their connections. */
const FILES_AT_ONCE = 2;

/** What is received between two pauses for searches. */
const BYTES_PER_PAUSE = 64 * 1024;

/** What a form adds to its file. */
const FORM_OVERHEAD = 1024 * 1024;

const FILE_QUEUE = singleton("fileQueue", () =>
  companyQueue({ atOnce: FILES_AT_ONCE, atOnceBesideOthers: FILES_AT_ONCE, yieldMaxMs: 0, pauseMaxMs: 0 }),
);

/** The request with a file, and what is checked again when the file has arrived, which may take an hour. */
interface Receiving {
  request: ApiRequest;
  bytesMax: number;
  recheck: () => Promise<void>;
}

/**
 * Receives the file in a request's body, up to `bytesMax`, and removes it after the work. Files yield to searches, and a
 * request that ends while it waits for its turn leaves the queue.
 * @throws {AppError} PayloadTooLarge; BadRequest when the body is cut off; InsufficientStorage when the disk is full;
 * and what `recheck` and the work throw
 */
export async function receiveFile<Result>(
  { companyId }: TenantScope,
  { request, bytesMax, recheck }: Receiving,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  const bytes = withPauses(receive(request, bytesMax));
  return FILE_QUEUE.get().run(companyId, () => receivedBy(bytes, recheck, work), request.signal);
}

/** A file as the whole body, or as the part `file` of a form. */
export interface Upload extends FormParts {
  file: SpooledFile;
}

/**
 * Like `receiveFile`, for a body that may also be `multipart/form-data`.
 * @throws {AppError} also ValidationError when the form is malformed
 */
export async function receiveUpload<Result>(
  { companyId }: TenantScope,
  { request, bytesMax, recheck }: Receiving,
  work: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const form: FormParts = { fileName: null, texts: new Map() };
  const boundary = formBoundary(request.headers);
  const bytes = withPauses(
    boundary
      ? limitFile(fileOfForm(receive(request, bytesMax, FORM_OVERHEAD), boundary, form), bytesMax)
      : receive(request, bytesMax),
  );
  return FILE_QUEUE.get().run(
    companyId,
    () => receivedBy(bytes, recheck, (file) => work({ file, ...form })),
    request.signal,
  );
}

function receivedBy<Result>(
  bytes: AsyncIterable<Uint8Array>,
  recheck: () => Promise<void>,
  work: (file: SpooledFile) => Promise<Result>,
): Promise<Result> {
  return withSpooled(bytes, async (file) => {
    await recheck();
    return work(file);
  });
}

/** Pauses by the bytes, because a caller or a proxy may send small parts. */
async function* withPauses(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sincePause = 0;
  for await (const part of parts) {
    yield part;
    sincePause += part.byteLength;
    if (sincePause < BYTES_PER_PAUSE) continue;
    sincePause = 0;
    await yieldToSearches();
  }
}
