import { z } from "zod";
import { singleton } from "../singleton.ts";
import { type Field, fieldsOf, typeOfSchema } from "./fields.ts";
import { apiDescription } from "./openapi.ts";

/** An object in a request or response body. */
export interface Component {
  name: string;
  fields: Field[];
}

export interface Operation {
  method: string;
  path: string;
  summary: string;
  description: string;
  /** What the path, the query string and the headers hold. */
  parameters: { name: string; in: string; type: string; description: string }[];
  /** The body and the components that it refers to, outermost first; empty without a body. */
  request: Component[];
  response: Component[];
  /** Example of the body; null without a body. */
  requestExample: object | null;
  /** Example of the response as a stream; null if it cannot be streamed. */
  streamExample: string | null;
  /** Example of the body; null when it is not JSON. */
  responseExample: object | null;
  /** Headers of the 200 response. */
  headers: { name: string; description: string }[];
}

const content = z.object({
  "application/json": z
    .object({
      schema: z.object({ $ref: z.string().optional() }),
      example: z.record(z.string(), z.unknown()).optional(),
      examples: z.record(z.string(), z.object({ value: z.record(z.string(), z.unknown()) })).optional(),
    })
    .optional(),
});
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  schema: z.unknown(),
  description: z.string().default(""),
});
const operationNode = z.object({
  summary: z.string(),
  description: z.string().default(""),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.object({
    200: z.object({
      content: content.extend({ "text/event-stream": z.object({ example: z.string() }).optional() }),
      headers: z.record(z.string(), z.object({ description: z.string().default("") })).default({}),
    }),
  }),
});

/** Read once, because anyone may open the reference page. */
const OPERATIONS = singleton("apiOperations", readOperations);

/**
 * The operations of the OpenAPI document that the reference page shows, in the order of the document: all but that of
 * the document itself. Callers must not change them.
 */
export function apiReference(): Operation[] {
  return OPERATIONS.get();
}

function readOperations(): Operation[] {
  const { paths = {}, components } = apiDescription();
  const schemas = components?.schemas ?? {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const node = operationNode.parse(operation);
      const ok = node.responses[200];
      const response = componentsFrom(ok.content, schemas);
      if (path === "/openapi.json") return [];
      return {
        method: method.toUpperCase(),
        path: `/v1${path}`,
        summary: node.summary,
        description: node.description,
        parameters: node.parameters.map(({ schema, ...rest }) => ({ ...rest, type: typeOfSchema(schema) })),
        request: node.requestBody ? componentsFrom(node.requestBody.content, schemas) : [],
        response,
        requestExample: node.requestBody ? exampleOf(node.requestBody.content) : null,
        responseExample: exampleOf(ok.content),
        streamExample: ok.content["text/event-stream"]?.example ?? null,
        headers: Object.entries(ok.headers).map(([name, { description }]) => ({ name, description })),
      };
    }),
  );
}

/** The example to show: the last of several, which is the fullest. */
function exampleOf({ "application/json": json }: z.output<typeof content>): object | null {
  return json?.example ?? Object.values(json?.examples ?? {}).at(-1)?.value ?? null;
}

function componentsFrom(body: z.output<typeof content>, schemas: Record<string, unknown>): Component[] {
  const root = body["application/json"]?.schema.$ref?.split("/").at(-1);
  const names = root ? [root] : [];
  const found: Component[] = [];
  for (const name of names) {
    const fields = fieldsOf(schemas[name]);
    found.push({ name, fields });
    const further = fields.flatMap(({ refersTo }) => refersTo ?? []);
    names.push(...further.filter((other) => !names.includes(other)));
  }
  return found;
}
