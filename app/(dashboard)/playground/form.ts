import { splitPath } from "@/lib/label-text.ts";
import type { MetadataFilter } from "@/lib/retrieval/metadata-filter.ts";
import type { RetrieveInput } from "@/lib/retrieval/schema.ts";

/** The fields as typed. `toRequest` turns them into a request of the API. */
export interface RequestForm {
  queryText: string;
  audience: string;
  type: (typeof TYPE_CHOICES)[number]["id"];
  categories: string[];
  /** Segments separated by slashes. */
  path: string;
  /** Conditions as JSON, as in `filters.metadata`. */
  metadata: string;
  /** Kept as text, so that invalid input is refused and not silently changed. */
  scoreThreshold: string;
  limit: string;
  useRerank: boolean;
  answer: boolean;
  context: Context;
}

export type Context = { companyProductsNames: string[] } & Record<ContextField, string>;
type ContextField = (typeof CONTEXT_FIELDS)[number]["name"];

export const TYPE_CHOICES = [
  { id: "all", label: "All" },
  { id: "document", label: "Documents" },
  { id: "qa", label: "Q&A" },
] as const;

export const CONTEXT_FIELDS = [
  { name: "companyName", label: "Company name", long: false },
  { name: "clientName", label: "Client name", long: false },
  { name: "clientServices", label: "Client's services", long: false },
  { name: "clientCurrentChatHistory", label: "Current chat", long: true },
  { name: "clientOlderChatHistory", label: "Earlier chats", long: true },
  { name: "clientPaymentHistory", label: "Payments", long: true },
  { name: "clientLogs", label: "Logs", long: true },
] as const;

const NO_CONTEXT: Context = {
  companyName: "",
  companyProductsNames: [],
  clientName: "",
  clientServices: "",
  clientCurrentChatHistory: "",
  clientOlderChatHistory: "",
  clientPaymentHistory: "",
  clientLogs: "",
};

export const EMPTY_FORM: RequestForm = {
  queryText: "",
  audience: "",
  type: "all",
  categories: [],
  path: "",
  metadata: "",
  scoreThreshold: "0",
  limit: "10",
  useRerank: false,
  answer: true,
  context: NO_CONTEXT,
};

/** Leaves out fields that have the API's default, so that examples stay short. */
export function toRequest({ context, ...form }: RequestForm): RetrieveInput {
  const path = splitPath(form.path);
  const metadata = readMetadata(form.metadata);
  const filters = {
    ...(form.audience && { audience: form.audience }),
    ...(form.type !== "all" && { sourceTypes: [form.type] }),
    ...(form.categories.length > 0 && { contentCategory: form.categories }),
    ...(path.length > 0 && { path }),
    ...(metadata && { metadata }),
  };
  const { companyProductsNames, ...texts } = context;
  return {
    queryText: form.queryText,
    ...(Object.keys(filters).length > 0 && { filters }),
    // said explicitly, because the company may have other defaults
    scoreThreshold: numberOf(form.scoreThreshold),
    limit: numberOf(form.limit),
    useRerank: form.useRerank,
    returnMode: form.answer ? "ai_generated_answer" : "chunks_only",
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    ...(companyProductsNames.length > 0 && { companyProductsNames }),
  };
}

/** The conditions on metadata; undefined without any, and null when the text is not valid JSON. */
export function readMetadata(text: string): MetadataFilter | null | undefined {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function filtersSet({ audience, type, categories, path, metadata }: Omit<RequestForm, "context">): number {
  const set = [
    audience !== "",
    type !== "all",
    categories.length > 0,
    splitPath(path).length > 0,
    metadata.trim() !== "",
  ];
  return set.filter(Boolean).length;
}

export function contextSet({ context }: RequestForm): number {
  return Object.values(context).filter((value) => value.length > 0).length;
}

/** An empty field is undefined, not 0, so that the API's default applies. */
function numberOf(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}
