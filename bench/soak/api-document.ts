import { z } from "zod";
import { OPENAI_TAG } from "../../lib/openapi/openai-operations.ts";

/** The part of a JSON schema that requests are generated from. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

export interface Operation {
  method: string;
  /** The full path, such as `/v1/api/status`. */
  path: string;
  /** Schema of the JSON body; undefined when there is none. */
  body: JsonSchema | undefined;
  /** Schema of the response body, by status. */
  answers: Map<number, z.ZodType>;
}

export interface ApiDocument {
  operations: Operation[];
  /** The schema behind a reference, or the schema itself. */
  resolve(schema: JsonSchema): JsonSchema;
}

const content = z.object({ "application/json": z.object({ schema: z.custom<JsonSchema>() }).optional() });
const operationSchema = z.object({
  tags: z.array(z.string()).default([]),
  "x-required-scope": z.string().default("retrieve"),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.custom<JsonSchema>()) }),
});

/**
 * Reads the operations of the OpenAPI document that a key with only the scope `retrieve` may call. Leaves out those of
 * OpenAI's API, whose errors have OpenAI's format.
 */
export async function readApiDocument(url: string): Promise<ApiDocument> {
  const text = await (await fetch(`${url}/v1/openapi.json`)).text();
  // a standalone JSON schema keeps its references in $defs
  const { paths, components } = documentSchema.parse(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
  const definitions = components.schemas;
  const resolve = (schema: JsonSchema): JsonSchema => {
    const named = schema.$ref && definitions[schema.$ref.replace("#/$defs/", "")];
    return named ? resolve(named) : schema;
  };
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(
        ([, { tags, ...operation }]) => operation["x-required-scope"] === "retrieve" && !tags.includes(OPENAI_TAG),
      )
      .map(([method, { requestBody, responses }]) => ({
        method: method.toUpperCase(),
        path: `/v1${path}`,
        body: requestBody?.content["application/json"]?.schema,
        answers: new Map(
          Object.entries(responses).flatMap(([status, answer]) => {
            const schema = answer.content?.["application/json"]?.schema;
            return schema ? [[Number(status), toZod(schema, definitions)]] : [];
          }),
        ),
      })),
  );
  return { operations, resolve };
}

function toZod(schema: JsonSchema, definitions: Record<string, JsonSchema>): z.ZodType {
  const whole: unknown = { ...schema, $defs: definitions };
  return z.fromJSONSchema(z.custom<Parameters<typeof z.fromJSONSchema>[0]>().parse(whole));
}
