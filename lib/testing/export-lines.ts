import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { TenantScope } from "../db/tenant.ts";
import { exportSources } from "../knowledge/export.ts";
import { importSources } from "../knowledge/import.ts";

/** The lines of the company's export. */
export async function exportLines(scope: TenantScope): Promise<string[]> {
  const lines: string[] = [];
  for await (const { line } of exportSources(scope, SYSTEM_ACTOR)) lines.push(line);
  return lines;
}

/** Imports lines of an export. */
export function importLines(scope: TenantScope, lines: string[], options: Parameters<typeof importSources>[3] = {}) {
  return importSources(
    scope,
    SYSTEM_ACTOR,
    async function* () {
      yield Buffer.from(lines.join("\n"));
    },
    options,
  );
}
