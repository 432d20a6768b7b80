import { createLoader, createSerializer, parseAsInteger, parseAsIsoDate, parseAsString } from "nuqs/server";

/** Which events are shown, as the address holds it. Days are in UTC. */
export const auditParams = {
  actor: parseAsString,
  action: parseAsString,
  from: parseAsIsoDate,
  to: parseAsIsoDate,
  page: parseAsInteger.withDefault(1),
};

export const loadAuditParams = createLoader(auditParams);
export const auditAddress = createSerializer(auditParams);
