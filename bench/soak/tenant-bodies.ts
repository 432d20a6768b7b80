import { fileId } from "../../lib/adapters/openai/ids.ts";
import { EXPORT_HEADER } from "../../lib/knowledge/read-export.ts";
import { DEFAULT_SETTINGS } from "../../lib/retrieval-settings/schema.ts";
import { NO_LABELS } from "./product.ts";
import type { Named } from "./tenant-ids.ts";
import type { Target } from "./tenant-targets.ts";

const QUESTIONS: ((named: Named) => string)[] = [
  ({ id }) => `what is ${id}?`,
  ({ alias }) => `what is ${alias}?`,
  () => "what is this mineral?",
];
const FILTERS: ((named: Named) => object)[] = [
  () => ({}),
  ({ alias }) => ({ audience: alias }),
  ({ alias }) => ({ path: [alias] }),
  ({ id }) => ({ contentCategory: [id] }),
  ({ companyId }) => ({ audience: `x' or company_id = '${companyId}' --` }),
  ({ companyId }) => ({ $or: [{ company_id: companyId }], companyId }),
];
/** Number of different bodies of one target. */
export const BODIES = QUESTIONS.length * FILTERS.length;

type Text = (named: Named, body: number) => string;

const question: Text = (named, body) => QUESTIONS[body % QUESTIONS.length]?.(named) ?? "";
const identifier: Text = ({ id, externalId }, body) => (body % 2 === 0 ? externalId : id);
const label: Text = ({ alias }) => alias;
/** What a field of a body gets. Other fields get the id of their name, or keep their value. */
const FIELDS: Record<string, Text> = {
  id: ({ id }) => id,
  ids: ({ id }) => id,
  file_id: ({ id }) => fileId(id),
  ...{ sourceId: identifier, source_id: identifier, sourceIds: identifier, except: identifier, prefix: identifier },
  ...{ audience: label, contentCategory: label, path: label },
  ...{ query: question, queryText: question, question },
  knowledge_id: ({ companyId }, body) => (body % 2 === 0 ? "all" : companyId),
};

/** Bodies of operations that read different ones. */
const VARIED: Record<string, (named: Named, body: number) => object | undefined> = {
  "/v1/api/rag/retrieve": (named, body) => {
    const filters = FILTERS[Math.floor(body / QUESTIONS.length)]?.(named);
    return { queryText: question(named, body), filters, limit: 100 };
  },
  "/v1/api/sources/delete": (named, body) => {
    return body % 3 === 0 ? undefined : { sourceIds: [identifier(named, body)], confirm: body % 3 === 1 ? 1 : 0 };
  },
};

interface RouteInput {
  query?: Record<string, string>;
  body?: string;
  /** Sent as JSON. */
  json?: object;
}

const CSV = "question,answer\nWho?,Us.\n";
/** What the routes of the dashboard read. */
const ROUTES: Record<string, (named: Named, body: number) => RouteInput> = {
  "/find": ({ id }) => ({ query: { q: id } }),
  "/open-company": () => ({ query: { next: "/overview" } }),
  "/knowledge/upload": ({ id }) => {
    const name = `${id}.txt`;
    return { query: { name, fileName: name, labels: NO_LABELS }, body: "Our own text." };
  },
  "/knowledge/questions": ({ id }, body) => {
    const step = body % 2 === 0 ? "preview" : "import";
    return { query: { name: `${id}.csv`, step, labels: NO_LABELS }, body: CSV };
  },
  "/knowledge/import": ({ id }) => {
    const source = { sourceType: "document", sourceId: id, title: "Ours", content: "Our own text." };
    return { body: [EXPORT_HEADER, source].map((line) => `${JSON.stringify(line)}\n`).join("") };
  },
  "/test-questions/import": () => ({ query: { name: "q.csv" }, body: "question,mustRefuse\r\nQ,yes\r\n" }),
  "/settings/retrieval/trials": () => ({ json: DEFAULT_SETTINGS }),
  "/playground/runs": (named, body) => {
    const keyId = body % 2 === 0 ? null : named.byName.get("keyId");
    return { json: { request: VARIED["/v1/api/rag/retrieve"]?.(named, body), keyId } };
  },
};

/** The query parameters that a route needs. */
export function queryOf({ path }: Target, named: Named, body: number): Record<string, string> {
  return ROUTES[path]?.(named, body).query ?? {};
}

/** The body of a request, with the ids of `named` wherever it has any. */
export function bodyOf(target: Target, named: Named, body: number): BodyInit | null {
  const { method, path, operation } = target;
  if (/^(GET|HEAD|OPTIONS)$/.test(method)) return null;
  if (operation) return operation.form ? formOf(named, body) : jsonOf(operationBody(target, named, body));
  const { body: text, json } = ROUTES[path]?.(named, body) ?? {};
  return text ?? (json ? jsonOf(json) : formOf(named, body));
}

function operationBody({ path, operation }: Target, named: Named, body: number): unknown {
  const given = VARIED[path]?.(named, body) ?? withIds(operation?.example, named, body);
  // sometimes with names of the company that no operation reads
  if (body % 3 !== 2 || typeof given !== "object") return given;
  return { ...given, companyId: named.companyId, company_id: named.companyId };
}

/** An example with ids and words of `named` in its texts. */
function withIds(example: unknown, named: Named, body: number, field = ""): unknown {
  if (Array.isArray(example)) return example.map((each) => withIds(each, named, body, field));
  if (typeof example === "object" && example !== null) {
    return Object.fromEntries(
      Object.entries(example).map(([name, value]) => [name, withIds(value, named, body, name)]),
    );
  }
  if (typeof example !== "string") return example;
  return FIELDS[field]?.(named, body) ?? named.byName.get(field) ?? example;
}

function jsonOf(value: unknown): Blob | null {
  return value === undefined ? null : new Blob([JSON.stringify(value)], { type: "application/json" });
}

function formOf(named: Named, body: number): FormData {
  const { id, companyId, alias } = named;
  const form = new FormData();
  for (const name of ["id", "sourceId", "keyId"]) form.set(name, id);
  form.set("companyId", companyId);
  form.set("purpose", "assistants");
  form.set("labels", JSON.stringify({ sourceId: identifier(named, body), audience: [alias] }));
  form.set("file", new File(["Our own text.\n"], `${id}.txt`));
  return form;
}
