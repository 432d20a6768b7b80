import { z } from "zod";
import { ERROR_STATUS } from "../../lib/errors.ts";
import type { ApiDocument } from "./api-document.ts";

/** The response to any request. */
export interface SeenAnswer {
  method: string;
  /** Undefined for raw bytes. */
  path?: string;
  status: number;
  header(name: string): string | null;
  body: string;
}

const errorSchema = z.looseObject({ statusCode: z.int(), error: z.string(), message: z.string().min(1) });
const STACK = /\n\s+at |node_modules|\.tsx?:\d+|Error: |\bselect .+ from |ECONN|postgres/i;
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Describes each breach of the contract in a response. @param canaries texts that only other companies have */
export function breachesOf(answer: SeenAnswer, document: ApiDocument, canaries: string[]): string[] {
  const { status, method, body } = answer;
  const breaches: string[] = [];
  if (status >= 500) breaches.push(`answered ${status}`);
  if (!REQUEST_ID.test(answer.header("x-request-id") ?? "")) breaches.push(`${status} without X-Request-Id`);
  if (answer.header("cache-control") !== "no-store") breaches.push(`${status} may be cached`);
  if (canaries.some((canary) => body.includes(canary))) breaches.push("another company's text");
  if (status === 405 && !answer.header("allow")) breaches.push("405 without Allow");
  if (status === 401 && !answer.header("www-authenticate")?.startsWith("Bearer"))
    breaches.push("401 without challenge");
  if (status === 204 || method === "HEAD") return breaches;
  const json = parse(body);
  if (status >= 400) breaches.push(...errorBreaches(answer, json));
  // an unknown path has no documented operation
  if (status === 404) return breaches;
  const schemas = schemasOf(answer, document);
  if (schemas.length === 0) breaches.push(`${status} is not documented`);
  else if (!schemas.some((schema) => schema.safeParse(json).success))
    breaches.push(`${status} does not fit its schema`);
  return breaches;
}

function errorBreaches({ status, body }: SeenAnswer, json: unknown): string[] {
  const parsed = errorSchema.safeParse(json);
  if (!parsed.success) return [`${status} is not one of our errors: ${body.slice(0, 100)}`];
  const known = Object.entries(ERROR_STATUS).some(([name, code]) => name === parsed.data.error && code === status);
  const honest = parsed.data.statusCode === status;
  return [
    ...(known && honest ? [] : [`${status} says ${parsed.data.statusCode} ${parsed.data.error}`]),
    ...(STACK.test(body) ? [`${status} reveals internals: ${body.slice(0, 200)}`] : []),
  ];
}

/** The response schemas of the operation, or of all operations for raw bytes, whose operation is unknown. */
function schemasOf({ method, path, status }: SeenAnswer, { operations }: ApiDocument): z.ZodType[] {
  const asked = operations.filter((each) => path === undefined || (each.path === path && each.method === method));
  return asked.flatMap(({ answers }) => answers.get(status) ?? []);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
