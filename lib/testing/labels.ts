import { and, desc, eq } from "drizzle-orm";
import { connection } from "../db/client.ts";
import { sources, sourceVersions } from "../db/schema/index.ts";
import type { TenantScope } from "../db/tenant.ts";

/** Labels with a narrow audience. */
export const NARROW = {
  audience: ["internal"],
  contentCategory: "policy",
  path: ["Staff", "Pay"],
  metadata: { owner: "Ada" },
};
/** The labels and the number of a source's newest version. */
export async function labelsOf(scope: TenantScope, sourceId: string) {
  const { audience, contentCategory, path, metadata, number } = sourceVersions;
  const [row] = await connection()
    .db.select({ labels: { audience, contentCategory, path, metadata }, number })
    .from(sourceVersions)
    .innerJoin(sources, and(eq(sources.companyId, sourceVersions.companyId), eq(sources.id, sourceVersions.sourceId)))
    .where(and(eq(sources.companyId, scope.companyId), eq(sources.sourceId, sourceId)))
    .orderBy(desc(number));
  return row;
}

/** A Q&A file with one row, whose source ID is `open`. */
export function questionFile(audience: string, answer: string) {
  return {
    fileName: "faq.csv",
    bytes: Buffer.from(`question,answer,audience,sourceId\nOpen?,${answer},${audience},open\n`),
  };
}
