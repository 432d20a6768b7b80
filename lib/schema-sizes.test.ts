import { globSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The files with schemas of external input. */
const FILES = [
  "lib/*/*schema.ts",
  "lib/knowledge/*/schema.ts",
  "lib/adapters/*/schema.ts",
  "lib/**/*-input.ts",
  "lib/**/*-query.ts",
  "lib/retrieval/apply-policy.ts",
];

/** Exports that describe our own output or stored data. */
const INTERNAL =
  /(?:Response|Output|Page|List)$|^(?:resultPayload|retrieveResult|sourceBody|errorBody|openAiErrorBody|vectorStore|vectorStoreFile|uploadedFile|deletedFile)$/;

/** Inputs without a maximum of their own, and what limits them instead. */
const BOUNDED_OTHERWISE: Record<string, string> = {
  "retrieveRequest.companyName": "context field: any length that the body limit allows",
  "retrieveRequest.companyProductsNames": "context field: any length that the body limit allows",
  "retrieveRequest.clientName": "context field: any length that the body limit allows",
  "retrieveRequest.clientServices": "context field: any length that the body limit allows",
  "retrieveRequest.clientCurrentChatHistory": "context field: any length that the body limit allows",
  "retrieveRequest.clientOlderChatHistory": "context field: any length that the body limit allows",
  "retrieveRequest.clientPaymentHistory": "context field: any length that the body limit allows",
  "retrieveRequest.clientLogs": "context field: any length that the body limit allows",
  "retrieveRequest.filters.metadata": "50 conditions of limited size, checked as a whole",
  "retrieveFilters.metadata": "50 conditions of limited size, checked as a whole",
  "runInput.request": "that of retrieveRequest",
  "whyNotInput.request": "that of retrieveRequest",
  "documentInput.metadata": "16 kB as JSON, measured as a whole",
  "questionInput.metadata": "16 kB as JSON, measured as a whole",
  "sourceInput.metadata": "16 kB as JSON, measured as a whole",
  "putSourceRequest.metadata": "16 kB as JSON, measured as a whole",
  "batchRequest.sources[].metadata": "16 kB as JSON, measured as a whole",
  "batchInput.sources[]": "checked one by one by identifiedSource",
  "labelsRequest.metadata": "16 kB as JSON, measured as a whole",
  "fileLabelsInput.metadata": "16 kB as JSON, measured as a whole",
  "fileQuery.metadata": "16 kB as JSON, measured as a whole",
  "identifiedSource.metadata": "16 kB as JSON, measured as a whole",
  "vectorSearchInput.filters": "50 conditions of limited size, checked as a whole",
  "difyRequest.metadata_condition": "50 conditions of limited size, checked as a whole",
  "difyRequest.query": "a longer question is cut",
  "attachInput.attributes": "16 entries, counted before they are checked",
  "attributesUpdate.attributes": "16 entries, counted before they are checked",
  "sourceLabelsInput.metadata": "16 kB as JSON, measured as a whole",
};

/** A pattern of the whole text that repeats nothing without a limit. */
const LIMITED_PATTERN = /^\^(?:[^*+{]|\{\d+(?:,\d+)?\})*\$$/;
/** Formats whose patterns fix the length. */
const FIXED_LENGTH = new Set(["uuid", "guid", "date"]);

const schemas = await Promise.all(
  FILES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !file.includes(".test."))
    .toSorted()
    .map(async (file): Promise<[string, z.core.$ZodType][]> => {
      const exported: object = await import(pathToFileURL(`${root}${file}`).href);
      return Object.entries(exported).filter(([name, value]) => value instanceof z.ZodType && !INTERNAL.test(name));
    }),
).then((found) => found.flat());

describe("the size of external input", () => {
  it.each(schemas)("%s has a maximum for every text, list and record", (name, schema) => {
    const unbounded = [...new Set(unboundedIn(schema, name))];
    expect(unbounded.filter((path) => !isExempt(path))).toEqual([]);
  });

  it("is limited elsewhere only for inputs without a maximum", () => {
    const unbounded = new Set(schemas.flatMap(([name, schema]) => unboundedIn(schema, name)));
    const needed = (exempt: string) => [...unbounded].some((path) => path.startsWith(exempt));
    expect(Object.keys(BOUNDED_OTHERWISE).filter((exempt) => !needed(exempt))).toEqual([]);
  });

  it("is defined in these files, and not in the actions of pages", () => {
    const own = globSync("app/**/actions.ts", { cwd: root }).filter((file) =>
      /textInput\(|z\.(?:string|array|record)\(/.test(readFileSync(`${root}${file}`, "utf8")),
    );
    expect(own).toEqual([]);
  });
});

function isExempt(path: string): boolean {
  return Object.keys(BOUNDED_OTHERWISE).some(
    (exempt) =>
      path === exempt ||
      path.startsWith(`${exempt}[`) ||
      (exempt.endsWith(".request") && path.startsWith(`${exempt}.`)),
  );
}

/** Where a schema accepts a text, list or record of any size, by path: `name.field[]`. */
function unboundedIn(schema: z.core.$ZodType, path: string): string[] {
  const kinds = z.core;
  if (schema instanceof kinds.$ZodString) return isBounded(schema) ? [] : [path];
  if (schema instanceof kinds.$ZodArray) {
    const items = unboundedIn(schema._zod.def.element, `${path}[]`);
    return isBounded(schema) ? items : [path, ...items];
  }
  if (schema instanceof kinds.$ZodObject) {
    const { shape, catchall } = schema._zod.def;
    const fields = Object.entries(shape).flatMap(([field, inner]) => unboundedIn(inner, `${path}.${field}`));
    return catchall ? [...fields, ...unboundedIn(catchall, `${path}.*`)] : fields;
  }
  if (schema instanceof kinds.$ZodUnion) return schema._zod.def.options.flatMap((option) => unboundedIn(option, path));
  if (schema instanceof kinds.$ZodPipe) {
    // a text that either side limits is limited; the result of a transformation is checked by the schema that takes it
    const { in: first, out: last } = schema._zod.def;
    const ofFirst = unboundedIn(first, path);
    return last instanceof kinds.$ZodTransform || ofFirst.length === 0 ? ofFirst : unboundedIn(last, path);
  }
  if (
    schema instanceof kinds.$ZodOptional ||
    schema instanceof kinds.$ZodNullable ||
    schema instanceof kinds.$ZodDefault
  ) {
    return unboundedIn(schema._zod.def.innerType, path);
  }
  const isSmall = [
    kinds.$ZodNumber,
    kinds.$ZodBoolean,
    kinds.$ZodEnum,
    kinds.$ZodLiteral,
    kinds.$ZodDate,
    kinds.$ZodNever,
  ].some((kind) => schema instanceof kind);
  return isSmall ? [] : [path];
}

function isBounded({ _zod: { def } }: z.core.$ZodString | z.core.$ZodArray): boolean {
  const format = "format" in def ? def.format : undefined;
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  return (
    checks.some((each) => each.check === "max_length" || each.check === "length_equals") ||
    checks.some(
      (each) => "pattern" in each && each.pattern instanceof RegExp && LIMITED_PATTERN.test(each.pattern.source),
    ) ||
    FIXED_LENGTH.has(String(format))
  );
}
