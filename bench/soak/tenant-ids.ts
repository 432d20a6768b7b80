import { randomUUID } from "node:crypto";
import { tenantScope } from "../../lib/db/tenant.ts";
import type { FilledCompany } from "../../lib/testing/filled-company.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The alias of `unknownCompanyLike`. Policies name it where they name the alias of another company. */
export const UNUSED_ALIAS = "nobodys";

/** The ids and words in a request, which belong to another company, to the caller or to nobody. */
export interface Named {
  /** The id of a request that has one. */
  id: string;
  companyId: string;
  alias: string;
  externalId: string;
  /** For fields that say which id they take. */
  byName: Map<string, string>;
}

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

/** What a request names of a company, with its id of this name as the one id. */
export function namedOf(company: FilledCompany, name: string): Named {
  const { alias, externalId } = company;
  const { companyId } = company.scope;
  const byName = idsByName(company).set("companyId", companyId);
  return { id: byName.get(name) ?? companyId, companyId, alias, externalId, byName };
}

const nobodies = new WeakMap<FilledCompany, FilledCompany>();

/**
 * Like a company, with the id of a company that does not exist, and with a word that no company has. Always the same for
 * a company, because requests may leave sources that are named after an id.
 */
export function unknownCompanyLike(company: FilledCompany): FilledCompany {
  const known = nobodies.get(company);
  if (known) return known;
  const made = { ...withUnusedIds(company), scope: tenantScope(randomUUID()), alias: UNUSED_ALIAS };
  nobodies.set(company, made);
  return made;
}
