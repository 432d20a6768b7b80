import { randomUUID } from "node:crypto";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The ids of a company's rows, by the member that has them. Found by their form, so that a new one is not left out. */
export function idsByName(company: FilledCompany): Map<string, string> {
  return new Map(
    Object.entries(company).flatMap(([name, value]) =>
      typeof value === "string" && UUID.test(value) ? [[name, value] as const] : [],
    ),
  );
}

/** The same company with ids that nobody has. Its scope, its members and its words stay. */
export function withUnusedIds(company: FilledCompany): FilledCompany {
  const unused = [...idsByName(company).keys()].map((name) => [name, randomUUID()]);
  return { ...company, ...Object.fromEntries(unused), externalId: "paper-0" };
}
