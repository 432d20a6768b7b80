import { sql } from "drizzle-orm";
import type { Interface } from "../db/column-values.ts";
import { knowledgeCallsDaily } from "../db/schema/index.ts";
import { companyLiteral, textLiteral } from "../db/sql.ts";
import { type CompanyId, tenantScope } from "../db/tenant.ts";
import { dayOf } from "../durations.ts";
import { log } from "../log.ts";
import { outageOf } from "../outage/outage.ts";
import { singleton } from "../singleton.ts";

/** A call that adds, lists or changes sources. */
export interface KnowledgeCall {
  apiKeyId: string;
  via: Interface;
  /** Whether it was refused or failed. */
  failed: boolean;
}

interface DayCount {
  companyId: CompanyId;
  day: string;
  apiKeyId: string;
  via: Interface;
  calls: number;
  errors: number;
}

/** Counts that are not in the database yet: one for each day, key and interface. */
const UNWRITTEN = singleton("knowledgeCalls", () => new Map<string, DayCount>());

/** Counts a call. `writeKnowledgeCalls` writes the count. */
export function countKnowledgeCall(companyId: CompanyId, { apiKeyId, via, failed }: KnowledgeCall): void {
  add({ companyId, day: dayOf(new Date()), apiKeyId, via, calls: 1, errors: Number(failed) });
}

/**
 * Writes the counts. Never throws. If the reply to a commit is lost, its counts are added twice, because no row says which
 * calls they include.
 * @returns false when the database is unavailable and the counts are kept
 */
export async function writeKnowledgeCalls(): Promise<boolean> {
  const unwritten = UNWRITTEN.get();
  const counts = [...unwritten.values()];
  unwritten.clear();
  const written = await Promise.all(
    counts.map((count) =>
      write(count).then(
        () => true,
        (error: unknown) => {
          log().warn({ err: error }, "the counts of calls could not be written");
          if (!outageOf(error)) return true;
          add(count);
          return false;
        },
      ),
    ),
  );
  return !written.includes(false);
}

function add(count: DayCount): void {
  const { companyId, day, apiKeyId, via } = count;
  const name = [companyId, day, apiKeyId, via].join(" ");
  const { calls = 0, errors = 0 } = UNWRITTEN.get().get(name) ?? {};
  UNWRITTEN.get().set(name, { ...count, calls: count.calls + calls, errors: count.errors + errors });
}

/** Writes nothing when the company was deleted. */
async function write({ companyId, ...count }: DayCount): Promise<void> {
  const { calls, errors } = knowledgeCallsDaily;
  const json = textLiteral(JSON.stringify([count]));
  await tenantScope(companyId).write([
    sql`
      insert into ${knowledgeCallsDaily} (company_id, day, api_key_id, via, calls, errors)
      select companies.id, added.* from ragstone.companies, json_to_recordset(${json}::json)
        as added (day date, "apiKeyId" uuid, via text, calls int, errors int)
      where companies.id = ${companyLiteral(companyId)}
      on conflict (company_id, day, api_key_id, via) do update set
        calls = ${calls} + excluded.calls, errors = ${errors} + excluded.errors`,
  ]);
}
