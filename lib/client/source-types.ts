import type { SourceType } from "./types.ts";

/** The labels of a source. A label that is absent or null keeps its value. */
export interface SourceLabels {
  audience?: string[] | null | undefined;
  contentCategory?: string | null | undefined;
  /** The hierarchical path, for example `["Support", "Billing"]`. */
  path?: string[] | null | undefined;
  metadata?: Record<string, unknown> | null | undefined;
}

export interface PutDocument extends SourceLabels {
  sourceType: "document";
  /** Your own identifier. Sending the same identifier again replaces the source. */
  sourceId: string;
  title: string;
  /** Text, which may contain Markdown. */
  content: string;
}

export interface PutQuestion extends SourceLabels {
  sourceType: "qa";
  /** Your own identifier. Sending the same identifier again replaces the source. */
  sourceId: string;
  question: string;
  answer: string;
  /** Other phrasings of the question. */
  alternatives?: string[] | null | undefined;
}

export type PutSource = PutDocument | PutQuestion;

export interface AcceptedSource {
  /** Ragstone's id, for `get`, `text`, `update`, `delete` and the like. */
  id: string;
  /** Your own identifier. */
  sourceId: string;
  /** The newest version. Pass it as `ifMatch` to change only this version. */
  versionId: string;
  /** Whether the content was already known, so that nothing changed. */
  unchanged: boolean;
  /** `processing` until retrieval can return the version, or until it failed. */
  status: "ready" | "processing";
  /** The labels of an existing source that this request changed. Absent if none changed. */
  changedLabels?: { label: "audience" | "contentCategory" | "path" | "metadata"; before: unknown; after: unknown }[];
  /** Warning: another source has the same question. Both are kept. */
  alreadyAnsweredIn?: { id: string; sourceId: string };
  /** With `merge`: the identifier that you sent. Its question is now a phrasing of this source. */
  mergedFrom?: string;
}

/** What is wrong with an input, and where. */
export interface Issue {
  path: string;
  message: string;
}

export interface BatchOutcome {
  /** `index` is the place in the request, from 0. */
  accepted: (AcceptedSource & { index: number })[];
  failed: { index: number; sourceId?: string | undefined; issues: Issue[] }[];
}

/** The place of a question in its file. */
interface RowPlace {
  /** As a spreadsheet shows it, from 1. */
  row: number;
  /** The name of the row's sheet, if a workbook has several. */
  sheet?: string | undefined;
}

/** The outcome of a file of questions, by row. */
export interface QuestionsOutcome {
  accepted: (AcceptedSource & RowPlace)[];
  failed: (RowPlace & { sourceId?: string | undefined; issues: Issue[] })[];
}

export interface DiffRequest {
  /** Report only sources whose identifier starts with this text as `extra`. */
  prefix?: string | null | undefined;
  /** What you have, at most 10,000. `sha256` in hexadecimal, see the API reference. */
  sources: { sourceId: string; sha256: string }[];
}

/** Identifiers of sources, grouped by what to do with them. */
export interface DiffResponse {
  /** Unknown or deleted: send these. */
  missing: string[];
  /** Changed or failed: send these. */
  changed: string[];
  unchanged: string[];
  /** Unchanged and still processing. */
  pending: string[];
  /** Known and not in the request, at most 10,000. Empty if the key does not have the scope `manage`. */
  extra: string[];
  /** Whether more are known than `extra` lists; false if the key does not have the scope `manage`. */
  hasMoreExtra: boolean;
}

export interface DeleteRequest {
  /** At most 200. Pass either these or `prefix`. */
  sourceIds?: string[] | null | undefined;
  /** Delete all sources whose identifier starts with this text. */
  prefix?: string | null | undefined;
  /** With `prefix`: identifiers to keep. An attachment among them remains when its email is deleted. */
  except?: string[] | null | undefined;
  /** The number of sources that will be deleted. With another number nothing is deleted. */
  confirm?: number | null | undefined;
}

export interface DeleteResponse {
  deleted: string[];
}

export interface SourceRef {
  id: string;
  sourceId: string;
}

export type SourceStatus = "ready" | "processing" | "failed" | "deleted";

export type SourceState = Pick<
  Source,
  "id" | "sourceId" | "versionId" | "status" | "error" | "notice" | "progress" | "chunks"
>;

export interface StatusesResponse {
  /** In the order of the ids. Sources that the key may not see, or that do not exist, are left out. */
  sources: SourceState[];
}

export interface ListQuery {
  sourceId?: string | undefined;
  /** Only sources whose identifier starts with this text. */
  prefix?: string | undefined;
  search?: string | undefined;
  type?: SourceType | undefined;
  audience?: string | undefined;
  contentCategory?: string | undefined;
  path?: string[] | undefined;
  status?: SourceStatus | undefined;
  /** Only answers with this verification; `due` lists those that wait for a review. */
  verification?: Verification["status"] | undefined;
  /** ISO 8601. Begin a minute before the newest `updatedAt` you know: changes that take long appear late. */
  updatedAfter?: string | undefined;
  /** Sources per request: 1 to 200, 50 by default. */
  limit?: number | undefined;
  /** Where to begin: `nextCursor` of an earlier page. */
  cursor?: string | undefined;
}

/** Who verified the answer of a question, and until when it is returned word for word. */
export interface Verification {
  /** `due`: the verification expired, and the answer needs a review. */
  status: "verified" | "due";
  /** The member or the API key that verified the answer. */
  by: string;
  /** ISO 8601. */
  at: string;
  /** The last day, in UTC; null for no end. */
  until: string | null;
}

export interface SourceVerification extends SourceRef {
  verification: Verification | null;
}

export interface Source {
  id: string;
  sourceId: string;
  versionId: string;
  title: string;
  sourceType: SourceType;
  /** State of the newest version. While it is processing or failed, an older one may be served. */
  status: SourceStatus;
  /** The `id` of the email that this file is an attachment of. */
  attachedTo: string | null;
  /** Whether retrieval can return the source. */
  served: boolean;
  /** Why the newest version failed. */
  error: string | null;
  /** What was left out or hard to read in the newest version. */
  notice: string | null;
  /** How many chunks are done while the source is processing, and what is unavailable. */
  progress: { done: number; total: number; waitsFor: string | null } | null;
  /** Chunks of the served version. */
  chunks: number;
  audience: string[];
  contentCategory: string;
  path: string[];
  metadata: Record<string, unknown>;
  /** Null for an answer that is not verified, and for a document. */
  verification: Verification | null;
  createdAt: string;
  /** When the source last changed. A verification that expires is no change. */
  updatedAt: string;
}

export interface SourcePage {
  /** The sources, newest change last. */
  sources: Source[];
  nextCursor: string | null;
}

export interface SourceVersion {
  id: string;
  number: number;
  status: "processing" | "ready" | "replaced" | "failed";
  chunks: number;
  error: string | null;
  createdAt: string;
}

export interface SourceDetails extends Source {
  /** The original file; null for a text. */
  file: { name: string; bytes: number; sha256: string } | null;
  versions: SourceVersion[];
}
