import { z } from "zod";

/** The part of JSON Schema that the reference page shows. */
const schemaNode = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  required: z.array(z.string()).optional(),
  get items() {
    return schemaNode.optional();
  },
  get anyOf() {
    return z.array(schemaNode).optional();
  },
  get oneOf() {
    return z.array(schemaNode).optional();
  },
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
});

type SchemaNode = z.output<typeof schemaNode>;

/** A row of the table of fields. */
export interface Field {
  name: string;
  type: string;
  /** Name of the component that describes the object or the array's items. */
  refersTo: string | null;
  required: boolean;
  default: string | null;
  description: string;
}

/**
 * The fields of an object's JSON Schema, nested ones by their path.
 * @param component an entry of `components.schemas`
 */
export function fieldsOf(component: unknown): Field[] {
  const node = schemaNode.parse(component);
  return fieldsOfNode(node.oneOf ? mergedOptions(node.oneOf) : node, "");
}

/** The type of one value, in the words of the reference. */
export function typeOfSchema(schema: unknown): string {
  return typeOf(schemaNode.parse(schema));
}

/** One object with the fields of all options. A field is required if every option requires it. */
function mergedOptions(options: SchemaNode[]): SchemaNode {
  const properties: Record<string, SchemaNode> = {};
  for (const option of options) {
    for (const [name, node] of Object.entries(option.properties ?? {})) {
      const known = properties[name];
      properties[name] =
        known && typeOf(known) !== typeOf(node) ? { ...known, const: undefined, anyOf: [known, node] } : node;
    }
  }
  const required = Object.keys(properties).filter((name) => options.every((option) => option.required?.includes(name)));
  return { properties, required };
}

function fieldsOfNode({ properties = {}, required = [] }: SchemaNode, prefix: string): Field[] {
  return Object.entries(properties).flatMap(([name, node]) => [
    {
      name: prefix + name,
      type: typeOf(node),
      refersTo: referenceOf(node),
      required: required.includes(name),
      default: node.default === undefined ? null : JSON.stringify(node.default),
      description: node.description ?? "",
    },
    ...fieldsOfNode(node, `${prefix}${name}.`),
  ]);
}

function typeOf(node: SchemaNode): string {
  if (node.$ref) return "object";
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  // null means the same as a missing field, which the table shows already
  if (node.anyOf) return [...new Set(node.anyOf.map(typeOf))].filter((type) => type !== "null").join(" | ");
  const types = [node.type ?? "any"].flat().filter((type) => type !== "null" || node.type === "null");
  return types.map((type) => (type === "array" ? arrayType(node) : type + rangeOf(node))).join(" | ");
}

function arrayType({ items }: SchemaNode): string {
  const type = items ? typeOf(items) : "any";
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}

function rangeOf({ format, minimum, maximum, minLength, maxLength }: SchemaNode): string {
  if (format) return ` (${format})`;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    return ` ${minimum}–${maximum}`;
  if (minLength !== undefined && maxLength !== undefined) return ` of ${minLength}–${maxLength} characters`;
  return "";
}

function referenceOf({ $ref, anyOf = [], items }: SchemaNode): string | null {
  if ($ref) return $ref.split("/").at(-1) ?? null;
  for (const node of items ? [...anyOf, items] : anyOf) {
    const found = referenceOf(node);
    if (found) return found;
  }
  return null;
}
