import type { z } from "zod";

/** The part of a JSON schema that requests are generated from. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  required: boolean;
  schema: JsonSchema;
}

export interface Operation {
  id: string;
  method: string;
  /** The full path with its parameters, such as `/v1/api/sources/{id}`. */
  path: string;
  /** The scope that a key needs. */
  scope: string;
  parameters: Parameter[];
  /** Schema of the body by media type; empty when there is none. */
  bodies: Map<string, JsonSchema>;
  /** Values of `Accept`; empty when the response has only one form. */
  accepts: string[];
  /** By status and media type: the schema of a JSON response, undefined for others. An empty media type has no body. */
  answers: Map<number, Map<string, z.ZodType | undefined>>;
}
