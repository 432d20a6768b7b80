import type { z } from "zod";
import type * as responses from "../knowledge/manage/responses.ts";
import type * as schema from "../knowledge/manage/schema.ts";

const ID = "5d1f0a52-8a3c-4a53-8d38-7f3b1e0c9a41";
const VERSION_ID = "c3a9f7de-2b61-4c55-9e0b-1f6a0d4b7e92";
const SOURCE_ID = "policies/cancellation.md";
const UPDATED = "2026-11-21T09:30:00.123456Z";
/** SHA-256 of the example's title, blank line and content. */
const SHA256 = "f0f5b5b1b6d38fd4bd5ba5b9b0b1ecf7f9a7e6e31a0c4a2d2e1f0b9c8d7e6f5a";

export const putExample: z.input<typeof schema.putSourceRequest> = {
  sourceType: "document",
  sourceId: SOURCE_ID,
  title: "Cancelling a contract",
  content: "A contract can be cancelled in writing with thirty days' notice to the end of a month.",
  audience: ["ai_agent", "copilot"],
  contentCategory: "policy",
  path: ["Policies", "Contracts"],
};

const putQuestionExample: z.input<typeof schema.putSourceRequest> = {
  sourceType: "qa",
  sourceId: "qa-notice",
  question: "How long is the notice period?",
  answer: "Thirty days to the end of a month.",
  alternatives: ["When can I cancel?"],
};

export const acceptedExample: z.input<typeof responses.acceptedSource> = {
  id: ID,
  sourceId: SOURCE_ID,
  versionId: VERSION_ID,
  unchanged: false,
  status: "processing",
};

export const batchExample: z.input<typeof schema.batchRequest> = { sources: [putExample, putQuestionExample] };

export const batchOutcomeExample: z.input<typeof responses.batchResponse> = {
  accepted: [{ index: 0, ...acceptedExample }],
  failed: [{ index: 1, sourceId: "qa-notice", issues: [{ path: "answer", message: "must not be empty" }] }],
};

export const diffExample: z.input<typeof schema.diffRequest> = {
  prefix: "policies/",
  sources: [{ sourceId: SOURCE_ID, sha256: SHA256 }],
};

export const diffOutcomeExample: z.input<typeof responses.diffResponse> = {
  missing: [],
  changed: [SOURCE_ID],
  unchanged: [],
  pending: [],
  extra: ["policies/old.md"],
  hasMoreExtra: false,
};

export const labelsExample: z.input<typeof schema.labelsRequest> = {
  audience: ["copilot"],
  contentCategory: "policy",
  metadata: { url: "https://example.com/policies/cancellation" },
};

export const statusesExample: z.input<typeof schema.statusesRequest> = { ids: [ID] };

export const statusesOutcomeExample: z.input<typeof responses.statusesResponse> = {
  sources: [
    {
      ...{ id: ID, sourceId: SOURCE_ID, versionId: VERSION_ID, status: "processing", error: null, notice: null },
      ...{ progress: { done: 0, total: 0, waitsFor: null }, chunks: 0 },
    },
  ],
};

export const deleteExample: z.input<typeof schema.deleteRequest> = {
  prefix: "policies/",
  except: [SOURCE_ID],
  confirm: 0,
};

export const deleteOutcomeExample: z.input<typeof responses.deleteResponse> = { deleted: ["policies/old.md"] };

export const sourceRefExample: z.input<typeof responses.deletedSource> = { id: ID, sourceId: SOURCE_ID };

export const verifyExample: z.input<typeof schema.verifyRequest> = { until: "2999-12-31" };

export const verificationExample: z.input<typeof responses.verificationResponse> = {
  id: ID,
  sourceId: "qa-notice",
  verification: { status: "verified", by: "Knowledge sync", at: "2026-11-21T09:31:00.000Z", until: "2999-12-31" },
};

const listedExample: z.input<typeof responses.listedSource> = {
  id: ID,
  sourceId: SOURCE_ID,
  versionId: VERSION_ID,
  title: "Cancelling a contract",
  sourceType: "document",
  status: "ready",
  attachedTo: null,
  served: true,
  error: null,
  notice: null,
  progress: null,
  chunks: 1,
  audience: ["ai_agent", "copilot"],
  contentCategory: "policy",
  path: ["Policies", "Contracts"],
  metadata: {},
  verification: null,
  createdAt: "2026-11-20T08:00:00.000Z",
  updatedAt: UPDATED,
};

export const listExample: z.input<typeof responses.listResponse> = { sources: [listedExample], nextCursor: null };

export const sourceExample: z.input<typeof responses.sourceResponse> = {
  ...listedExample,
  file: null,
  versions: [
    { id: VERSION_ID, number: 2, status: "ready", chunks: 1, error: null, createdAt: "2026-11-21T09:30:00.123Z" },
  ],
};
