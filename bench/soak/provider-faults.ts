import type { Fault } from "../../lib/testing/provider-server.ts";

/** The purposes of providers, with the path of each API and the budget of its calls. */
export const PURPOSES = {
  embedding: { path: "/v1/embeddings", degraded: "embedding", budget: "query" },
  rerank: { path: "/v2/rerank", degraded: "rerank", budget: "rerank" },
  answer: { path: "/v1/chat/completions", degraded: "generation", budget: "answer" },
} as const;

export type Purpose = keyof typeof PURPOSES;

export interface ProviderFault {
  name: string;
  /** `refused` means that nothing listens at the address. */
  fault: Fault | "refused";
  /** The purposes that get no usable response. */
  harms: readonly Purpose[];
  /** True when no response comes, so that each attempt takes its whole timeout. */
  silent?: boolean;
}

const EVERY_PURPOSE: readonly Purpose[] = ["embedding", "rerank", "answer"];
const TOMORROW = new Date(Date.now() + 86_400_000).toUTCString();

const broken: ProviderFault[] = [
  { name: "connection refused", fault: "refused", harms: EVERY_PURPOSE },
  { name: "connection reset", fault: { kind: "reset" }, harms: EVERY_PURPOSE },
  { name: "cut within the body", fault: { kind: "cut" }, harms: EVERY_PURPOSE },
  { name: "black hole", fault: { kind: "hang" }, harms: EVERY_PURPOSE, silent: true },
  { name: "slow headers", fault: { kind: "slow", ms: 20_000 }, harms: EVERY_PURPOSE, silent: true },
  { name: "slow body", fault: { kind: "drip" }, harms: EVERY_PURPOSE, silent: true },
];

const statuses: ProviderFault[] = [
  ...[400, 401, 403, 404, 405, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504].map((status) => refusal(status)),
  ...["0", "1", "30", TOMORROW, "soon"].map((after) => refusal(429, after)),
  ...["1", "30"].map((after) => refusal(503, after)),
  {
    name: "redirect 307",
    fault: { kind: "status", status: 307, headers: { location: "http://127.0.0.1:9/v1/embeddings" } },
    harms: EVERY_PURPOSE,
  },
];

function refusal(status: number, retryAfter?: string): ProviderFault {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  const after = retryAfter === TOMORROW ? "a date" : retryAfter;
  const name = after === undefined ? `status ${status}` : `status ${status}, Retry-After: ${after}`;
  return { name, fault: { kind: "status", status, headers }, harms: EVERY_PURPOSE };
}

const bodies: ProviderFault[] = [
  { name: "a web page with status 200", fault: { kind: "html" }, harms: EVERY_PURPOSE },
  { name: "broken JSON", fault: { kind: "garbage" }, harms: EVERY_PURPOSE },
  { name: "an empty body", fault: { kind: "empty" }, harms: EVERY_PURPOSE },
  { name: "other JSON", fault: { kind: "other-shape" }, harms: EVERY_PURPOSE },
  { name: "another content type", fault: { kind: "other-type" }, harms: EVERY_PURPOSE },
  { name: "a body without end", fault: { kind: "huge" }, harms: EVERY_PURPOSE },
  { name: "a gzip bomb", fault: { kind: "bomb" }, harms: EVERY_PURPOSE },
];

const nonsense: ProviderFault[] = [
  { name: "NaN", fault: { kind: "nan" }, harms: ["embedding", "rerank"] },
  { name: "null for numbers", fault: { kind: "null" }, harms: ["embedding", "rerank"] },
  { name: "numbers that overflow", fault: { kind: "overflow" }, harms: ["embedding"] },
  { name: "vectors of zeros", fault: { kind: "zero" }, harms: ["embedding"] },
  { name: "other dimensions", fault: { kind: "wrong-length" }, harms: ["embedding"] },
  { name: "another count", fault: { kind: "wrong-count" }, harms: ["embedding", "rerank"] },
  { name: "wrong numbers", fault: { kind: "wrong-index" }, harms: ["embedding", "rerank"] },
  { name: "another order", fault: { kind: "shuffled" }, harms: [] },
  { name: "an answer without text", fault: { kind: "empty-answer" }, harms: ["answer"] },
];

/** Every known fault of model providers, and some more. */
export const providerFaults: readonly ProviderFault[] = [...broken, ...statuses, ...bodies, ...nonsense];
