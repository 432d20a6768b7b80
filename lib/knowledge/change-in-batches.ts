import { type Actor, recordAudit } from "../audit/record.ts";
import { counted } from "../counted.ts";
import { batches } from "../db/batches.ts";
import type { Transaction } from "../db/client.ts";
import type { CompanyId, TenantScope } from "../db/tenant.ts";
import { SOURCES_PER_EVENT } from "./limits.ts";
import { latestVersions } from "./queries.ts";

/** Small batches, so that the embedded database can run other statements in between. */
const SOURCES_PER_TRANSACTION = 200;

export interface ChangedSource {
  id: string;
  sourceId: string;
}

/** A change of many sources. */
interface BulkOperation {
  action: "source.deleted" | "source.restored";
  /** Changes these sources. @returns those that were changed */
  change: (tx: Transaction, ids: string[]) => Promise<ChangedSource[]>;
}

/**
 * Changes these sources, each batch in a transaction of its own. The audit log shows one event, or several of a very large
 * operation.
 * @returns those that were changed
 */
export async function changeInBatches(
  { companyId, changeContent }: TenantScope,
  actor: Actor,
  ids: string[],
  { action, change }: BulkOperation,
): Promise<ChangedSource[]> {
  const done: ChangedSource[] = [];
  for (const part of batches(ids, SOURCES_PER_EVENT)) {
    const id = crypto.randomUUID();
    let named: ChangedSource[] = [];
    for (const batch of batches(part, SOURCES_PER_TRANSACTION)) {
      named = await changeContent(async (tx) => {
        const changed = await change(tx, batch);
        const all = [...named, ...changed];
        if (changed.length > 0) await recordSources(tx, companyId, actor, { id, action, changed: all });
        return all;
      });
    }
    done.push(...named);
  }
  return done;
}

interface SourceEvent extends Pick<BulkOperation, "action"> {
  id: string;
  changed: ChangedSource[];
}

/** Records one event, by the title of one source, or with the identifiers of several. */
async function recordSources(
  tx: Transaction,
  companyId: CompanyId,
  actor: Actor,
  { id, action, changed }: SourceEvent,
) {
  const [first, ...others] = changed;
  if (!first) return;
  if (others.length > 0) {
    const target = { type: "sources", id: companyId, name: counted(changed.length, "source") } as const;
    const detail = { sources: changed.map(({ sourceId }) => sourceId) };
    return recordAudit(tx, companyId, actor, { id, action, target, detail });
  }
  const { id: targetId, sourceId } = first;
  const title = (await latestVersions(tx, { companyId, actor, sourceIds: [sourceId] })).get(sourceId)?.title;
  const target = { type: "source", id: targetId, name: title ?? sourceId } as const;
  return recordAudit(tx, companyId, actor, { id, action, target });
}
