import type { z } from "zod";
import type { ApiDocument } from "./api-document.ts";
import type { Operation } from "./api-operation.ts";

/** The response to any request. */
export interface SeenAnswer {
  method: string;
  /** Undefined for raw bytes, and for paths that no operation has. */
  operation?: Operation;
  status: number;
  header(name: string): string | null;
  body: string;
}

const STACK = /\n\s+at |node_modules|\.tsx?:\d+|Error: |\bselect .+ from |ECONN|postgres/i;
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Describes each breach of the contract in a response. @param canaries texts that only other companies have */
export function breachesOf(answer: SeenAnswer, document: ApiDocument, canaries: string[]): string[] {
  const { status, method, body } = answer;
  const breaches: string[] = [];
  if (status >= 500) breaches.push(`answered ${status}`);
  if (!REQUEST_ID.test(answer.header("x-request-id") ?? "")) breaches.push(`${status} without X-Request-Id`);
  if (!answer.header("cache-control")?.includes("no-store")) breaches.push(`${status} may be cached`);
  if (canaries.some((canary) => body.includes(canary))) breaches.push("another company's text");
  if (status === 405 && !answer.header("allow")) breaches.push("405 without Allow");
  if (status === 401 && !answer.header("www-authenticate")?.startsWith("Bearer"))
    breaches.push("401 without challenge");
  if (status === 204 || method === "HEAD") return breaches;
  if (status >= 400 && STACK.test(body)) breaches.push(`${status} reveals internals: ${body.slice(0, 200)}`);
  return [...breaches, ...schemaBreaches(answer, document)];
}

/** Compares media type and body with the document. */
function schemaBreaches(answer: SeenAnswer, document: ApiDocument): string[] {
  const { status, body } = answer;
  const documented = documentedAnswers(answer, document);
  if (documented.length === 0) return [`${status} is not documented`];
  const type = answer.header("content-type")?.split(";", 1)[0] ?? "";
  const fitting = documented.filter(([mediaType]) => mediaType === type);
  if (fitting.length === 0) return [`${status} has the media type "${type}"`];
  const json = type === "application/json" ? parse(body) : undefined;
  const fits = fitting.some(([, schema]) => !schema || schema.safeParse(json).success);
  return fits ? [] : [`${status} does not fit its schema`];
}

/** The documented responses of the operation, or of all operations when it is unknown. */
function documentedAnswers({ operation, status }: SeenAnswer, { operations }: ApiDocument) {
  const asked: Operation[] = operation ? [operation] : operations;
  return asked.flatMap(({ answers }): [string, z.ZodType | undefined][] => [...(answers.get(status) ?? [])]);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
