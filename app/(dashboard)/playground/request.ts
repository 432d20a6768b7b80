import type { RetrieveInput } from "@/lib/retrieval/schema.ts";

/** The form as it is typed; `toRequest` makes of it what the API takes. */
export interface RequestForm {
  queryText: string;
  audience: string;
  sourceTypes: (typeof SOURCE_CHOICES)[number]["id"];
  contentCategory: string;
  path: string;
  scoreThreshold: number;
  limit: number;
  useRerank: boolean;
  answer: boolean;
  context: Record<string, string>;
}

export const EMPTY_FORM: RequestForm = {
  queryText: "",
  audience: "",
  sourceTypes: "all",
  contentCategory: "",
  path: "",
  scoreThreshold: 0,
  limit: 10,
  useRerank: false,
  answer: true,
  context: {},
};

export const SOURCE_CHOICES = [
  { id: "all", label: "All" },
  { id: "document", label: "Documents" },
  { id: "qa", label: "Questions and answers" },
] as const;

export const CONTEXT_FIELDS = [
  { name: "companyName", label: "Company name" },
  { name: "companyProductsNames", label: "Products, separated by commas" },
  { name: "clientName", label: "Client name" },
  { name: "clientServices", label: "Client services" },
  { name: "clientCurrentChatHistory", label: "Current chat" },
  { name: "clientOlderChatHistory", label: "Earlier chats" },
  { name: "clientPaymentHistory", label: "Payments" },
  { name: "clientLogs", label: "Logs" },
] as const;

export function toRequest(form: RequestForm): RetrieveInput {
  const filters = {
    ...(form.audience && { audience: form.audience }),
    ...(form.sourceTypes !== "all" && { sourceTypes: [form.sourceTypes] }),
    ...(form.contentCategory && { contentCategory: split(form.contentCategory, ",") }),
    ...(form.path && { path: split(form.path, "/") }),
  };
  const { companyProductsNames, ...texts } = form.context;
  return {
    queryText: form.queryText,
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(form.scoreThreshold > 0 && { scoreThreshold: form.scoreThreshold }),
    limit: form.limit,
    ...(form.useRerank && { useRerank: true }),
    returnMode: form.answer ? "ai_generated_answer" : "chunks_only",
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    ...(companyProductsNames && { companyProductsNames: split(companyProductsNames, ",") }),
  };
}

function split(text: string, separator: string): string[] {
  return text.split(separator).flatMap((part) => part.trim() || []);
}
