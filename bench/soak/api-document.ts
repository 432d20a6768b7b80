import { z } from "zod";
import { ADAPTER_OPERATIONS } from "./adapter-operations.ts";
import type { JsonSchema, Operation } from "./api-operation.ts";

export interface ApiDocument {
  operations: Operation[];
  /** The schema behind a reference, or the schema itself. */
  resolve(schema: JsonSchema): JsonSchema;
}

const JSON_TYPE = "application/json";
const NDJSON_TYPE = "application/x-ndjson";

const content = z.record(z.string(), z.object({ schema: z.custom<JsonSchema>() }));
const parameter = z.object({
  in: z.enum(["path", "query", "header"]),
  name: z.string(),
  required: z.boolean().default(false),
  schema: z.custom<JsonSchema>(),
});
const operationSchema = z.object({
  operationId: z.string(),
  "x-required-scope": z.string().default("retrieve"),
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.custom<JsonSchema>()) }),
});

type Described = z.output<typeof operationSchema>;

/** Reads all operations of the OpenAPI document, and adds those of adapters that it leaves out. */
export async function readApiDocument(url: string): Promise<ApiDocument> {
  const text = await (await fetch(`${url}/v1/openapi.json`)).text();
  // a standalone JSON schema keeps its references in $defs
  const { paths, components } = documentSchema.parse(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
  const definitions = components.schemas;
  const resolve = (schema: JsonSchema): JsonSchema => {
    const name = schema.$ref && definitions[schema.$ref.replace("#/$defs/", "")];
    return name ? resolve(name) : schema;
  };
  const toZod = zodSchemas(definitions);
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, described]): Operation => {
      const answers = answersOf(described, toZod);
      const accepts = [...(answers.get(200)?.keys() ?? [])];
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path: `/v1${path}`,
        scope: described["x-required-scope"],
        parameters: described.parameters,
        bodies: bodiesOf(described),
        accepts: accepts.length > 1 ? accepts : [],
        answers,
      };
    }),
  );
  return { operations: [...operations, ...ADAPTER_OPERATIONS], resolve };
}

/** The schema of each type of body. Lines of JSON have the schema of the same body as JSON. */
function bodiesOf({ requestBody }: Described): Map<string, JsonSchema> {
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema] as const);
  const json = requestBody?.content[JSON_TYPE]?.schema;
  return new Map(bodies.map(([type, schema]) => [type, type === NDJSON_TYPE && json ? json : schema]));
}

function answersOf({ responses }: Described, toZod: (schema: JsonSchema) => z.ZodType): Operation["answers"] {
  return new Map(
    Object.entries(responses).map(([status, answer]) => {
      const types = Object.entries(answer.content ?? {}).map(
        ([type, { schema }]) => [type, type === JSON_TYPE ? toZod(schema) : undefined] as const,
      );
      return [Number(status), new Map(types.length > 0 ? types : [["", undefined]])];
    }),
  );
}

/** Converts each schema once, because many responses share theirs. */
function zodSchemas(definitions: Record<string, JsonSchema>): (schema: JsonSchema) => z.ZodType {
  const known = new Map<string, z.ZodType>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const whole: unknown = { ...schema, $defs: definitions };
    const converted =
      known.get(key) ?? z.fromJSONSchema(z.custom<Parameters<typeof z.fromJSONSchema>[0]>().parse(whole));
    known.set(key, converted);
    return converted;
  };
}
