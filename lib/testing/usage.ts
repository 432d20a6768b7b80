import { randomUUID } from "node:crypto";
import type { TenantScope } from "../db/tenant.ts";
import { type QueryRecord, recordQuery } from "../usage/record.ts";

/**
 * Records a request as the API does, by default of this key and successful.
 * @returns the request's id
 */
export function recordRequest({ companyId }: TenantScope, apiKeyId: string, values: Partial<QueryRecord>): string {
  const id = randomUUID();
  const usual = { at: new Date(), origin: "api" as const, apiKeyId, queryText: "why?", statusCode: 200, total: 2 };
  recordQuery(companyId, { id, ...usual, ...values });
  return id;
}
