import { and, asc, eq } from "drizzle-orm";
import { chunks, versionChunks } from "../../db/schema/index.ts";
import type { TenantScope } from "../../db/tenant.ts";
import { ofVersion } from "../queries.ts";

/** Markdown has six heading levels, and the title takes the first. */
const LEVEL_MAX = 6;

/** The text of a document's version as Markdown: its chunks in reading order, with their headings. */
export async function servedText(scope: TenantScope, versionId: string): Promise<string> {
  const rows = await scope.transaction((tx) =>
    tx
      .select({ headings: chunks.headings, content: chunks.content })
      .from(versionChunks)
      .innerJoin(chunks, and(eq(chunks.companyId, versionChunks.companyId), eq(chunks.id, versionChunks.chunkId)))
      .where(ofVersion(scope.companyId, versionId))
      .orderBy(asc(versionChunks.position)),
  );
  return asMarkdown(rows);
}

/** Chunks in reading order as Markdown, each heading once. */
export function asMarkdown(rows: readonly { headings: string[]; content: string }[]): string {
  let above: string[] = [];
  const parts = rows.flatMap(({ headings, content }) => {
    const known = headings.findIndex((heading, level) => heading !== above[level]);
    above = headings;
    const fresh = known === -1 ? [] : headings.slice(known);
    return [...fresh.map((heading, i) => `${"#".repeat(Math.min(known + i + 2, LEVEL_MAX))} ${heading}`), content];
  });
  return parts.join("\n\n");
}
