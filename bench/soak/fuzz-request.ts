import type { JsonSchema, Operation, Parameter } from "./api-operation.ts";
import { hostileText, mutated } from "./hostile-json.ts";
import type { Random } from "./random.ts";
import { type ValueSource, validValue } from "./valid-json.ts";

const OPTIONAL_SHARE = 0.3;
const HOSTILE_SHARE = 0.3;
/** Values that a header can hold. */
const HOSTILE_HEADERS = ["", "x", '"', 'W/"*"', "wait=-1", "wait=x", "wait=,,;", `"${"x".repeat(5_000)}"`] as const;
/** Files that are quick to read or to refuse, because the check is not about reading files. */
const FILES: readonly [[string, string], ...[string, string][]] = [
  ["note.txt", "The museum opens at nine."],
  ["note.md", "# Hours\n\nThe museum opens at nine.\n\n## Tickets\n\nA ticket costs 12 euros."],
  ["faq.csv", "question,answer\nWhen does the museum open?,At nine.\nWhat does a ticket cost?,12 euros.\n"],
  ["page.html", "<h1>Hours</h1><p>The museum opens at nine.</p><script>alert(1)</script>"],
  ["empty.txt", ""],
  ["broken.pdf", "%PDF-1.7\nnothing"],
  ["odd\u0000name\u202e.csv", 'question,answer\n"open'],
];

/** A request for one operation. */
interface FuzzRequest {
  /** With the query string. */
  path: string;
  init: { method: string; headers: Record<string, string>; body?: BodyInit };
  /** Names the request in a report. */
  what: string;
}

/** A request that the document allows or, if `broken`, one with mutated values. */
export function fuzzRequest(source: ValueSource, operation: Operation, broken: boolean): FuzzRequest {
  const { random } = source;
  const { method, accepts } = operation;
  const { path, query, headers } = parametersOf(source, operation, broken);
  const { body, type } = bodyOf(source, operation, broken);
  const [first, ...others] = accepts;
  const all: Record<string, string> = {
    ...headers,
    ...(first && { Accept: random.pick([first, ...others]) }),
    ...(type && { "Content-Type": broken && random.chance(0.05) ? "text/plain" : type }),
  };
  const whole = query === "" ? path : `${path}?${query}`;
  const what = `${method} ${whole.slice(0, 200)} ${typeof body === "string" ? body.slice(0, 200) : ""}`;
  return { path: whole, init: { method, headers: all, ...(body !== undefined && { body }) }, what };
}

/** The operation's path with valid values. */
export function validPath(source: ValueSource, operation: Operation): string {
  return parametersOf(source, operation, false).path;
}

function parametersOf(source: ValueSource, { path, parameters }: Operation, broken: boolean) {
  const { random } = source;
  const chosen = parameters.filter(({ required }) => required || random.chance(OPTIONAL_SHARE));
  const values = chosen.flatMap((parameter) =>
    textsOf(source, parameter, broken).map((value) => ({ in: parameter.in, name: parameter.name, value })),
  );
  const at = (place: Parameter["in"]) => values.filter((each) => each.in === place);
  const filled = at("path").reduce(
    (left, { name, value }) => left.replace(`{${name}}`, encodeURIComponent(value.toWellFormed())),
    path,
  );
  const query = new URLSearchParams(at("query").map(({ name, value }) => [name, value]));
  if (broken && random.chance(0.1)) query.append(hostileText(random), hostileText(random));
  return {
    path: filled,
    query: query.toString(),
    headers: Object.fromEntries(at("header").map(({ name, value }) => [name, value])),
  };
}

/** The values of a parameter, which the query string may repeat. */
function textsOf(source: ValueSource, parameter: Parameter, broken: boolean): string[] {
  const { random } = source;
  if (broken && random.chance(HOSTILE_SHARE))
    return [parameter.in === "header" ? random.pick(HOSTILE_HEADERS) : hostileText(random)];
  return [validValue(source, parameter.schema, parameter.name)]
    .flat()
    .filter((value) => value !== null)
    .map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
}

function bodyOf(source: ValueSource, { bodies }: Operation, broken: boolean): { body?: BodyInit; type?: string } {
  const [first, ...others] = bodies;
  if (!first) return {};
  const [type, schema] = source.random.pick([first, ...others]);
  if (type === "multipart/form-data") return { body: formOf(source, schema, broken) };
  if (type === "application/octet-stream") return { body: source.random.pick(FILES)[1], type };
  const valid = validValue(source, schema);
  const value = broken ? mutated(valid, source.random) : valid;
  return { body: type === "application/x-ndjson" ? linesOf(value) : JSON.stringify(value), type };
}

/** The items of the body's only list, one per line. */
function linesOf(value: unknown): string {
  const [items] = Object.values(Object(value));
  return [items]
    .flat()
    .map((item) => JSON.stringify(item))
    .join("\n");
}

/** A form with the parts of the schema; a broken one lacks some or has texts that cannot be read. */
function formOf(source: ValueSource, { properties = {} }: JsonSchema, broken: boolean): FormData {
  const { random } = source;
  const form = new FormData();
  for (const [name, schema] of Object.entries(properties)) {
    if (broken && random.chance(0.2)) continue;
    if (name === "file") appendFile(form, random);
    else
      form.append(name, broken && random.chance(0.5) ? hostileText(random) : String(validValue(source, schema, name)));
  }
  return form;
}

function appendFile(form: FormData, random: Random): void {
  const [name, text] = random.pick(FILES);
  form.append("file", new Blob([text]), name);
}
