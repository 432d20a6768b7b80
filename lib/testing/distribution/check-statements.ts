import { loadModule } from "libpg-query";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { connection } from "../../db/client.ts";
import { EXCEPTIONS, EXEMPT_TESTS } from "./exceptions.ts";
import type { FunctionKind } from "./functions.ts";
import { distributionProblems } from "./statement.ts";

declare module "vitest" {
  interface ProvidedContext {
    volatility: FunctionKind[];
  }
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const NO_UUID = "00000000-0000-0000-0000-000000000000";

const LITERALS = /'(?:[^']|'')*'/g;
/** Vectors and lists of ids are longer, and no check reads them. */
const LITERAL_MAX = 200;

/** The messages of the product in this file of tests, without the values that differ. */
const messages = new Set<string>();

beforeAll(async () => {
  await loadModule();
  Object.assign(connection().sql.options, {
    debug: (_connection: number, message: string) => messages.add(shortened(message).replace(UUIDS, NO_UUID)),
  });
});

// the statements of every integration test must also work in a distributed database
afterAll(() => {
  const file = expect.getState().testPath ?? "";
  if (EXEMPT_TESTS.some((exempt) => file.endsWith(exempt))) return;
  const volatility = new Map(inject("volatility"));
  const refused = [...messages]
    .filter((message) => !isException(message))
    .map((message) => ({ message, problems: distributionProblems(message, volatility) }))
    .filter(({ problems }) => problems.length > 0);
  expect(refused).toEqual([]);
});

function isException(message: string): boolean {
  const line = message.replace(/\s+/g, " ").trim();
  return EXCEPTIONS.some(({ statement }) => statement.test(line));
}

function shortened(message: string): string {
  return message.replace(LITERALS, (literal) => (literal.length > LITERAL_MAX ? "''" : literal));
}
