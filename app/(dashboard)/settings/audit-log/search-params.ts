import { createLoader, createSerializer } from "nuqs/server";
import { parseAsDay, parseAsPage, parseAsText } from "@/lib/http/search-params.ts";

/** Filters of the audit log in the URL. Days are in UTC. */
export const auditParams = {
  actor: parseAsText,
  action: parseAsText,
  from: parseAsDay,
  to: parseAsDay,
  page: parseAsPage.withDefault(1),
};

export const loadAuditParams = createLoader(auditParams);
export const auditQueryString = createSerializer(auditParams);
