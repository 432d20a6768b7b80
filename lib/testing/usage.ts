import { randomUUID } from "node:crypto";
import type { TenantScope } from "../db/tenant.ts";
import { type QueryRecord, recordQuery } from "../usage/record.ts";

/** Notes a request as the API does, of this key and answered unless said otherwise. @returns its id */
export function noteRequest({ companyId }: TenantScope, apiKeyId: string, values: Partial<QueryRecord>): string {
  const id = randomUUID();
  const usual = { at: new Date(), origin: "api" as const, apiKeyId, queryText: "why?", statusCode: 200, total: 2 };
  recordQuery(companyId, { id, ...usual, ...values });
  return id;
}
