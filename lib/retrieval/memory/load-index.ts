import { type SQL, sql } from "drizzle-orm";
import { inSteps, STEPS } from "../../ai/round-vector.ts";
import { type ServedState, type ServedStateRow, servedStateQuery, toServedState } from "../../db/served-content.ts";
import { companyLiteral, intsLiteral } from "../../db/sql.ts";
import type { CompanyId, TenantScope } from "../../db/tenant.ts";
import { START_LENGTH, type VersionClues } from "../../language/versions.ts";
import { toVersionClues } from "../queries.ts";
import type { BlockRow, LoadedChunk } from "./company-index.ts";

/** Bytes of vectors in one message. */
const MESSAGE_BYTES = 512 * 1024;
/** The length of pgvector's binary header: dimensions and a reserved number. */
const VECTOR_HEADER_BYTES = 4;

type ReadBlock = Omit<BlockRow, "live"> & { live: string };

/** What a company's searches return now, and its blocks at the same moment. */
export async function readState(scope: TenantScope): Promise<{ content: ServedState; blocks: BlockRow[] }> {
  const { companyId } = scope;
  const [contents, rows] = await scope.read<[ServedStateRow, ReadBlock]>([
    servedStateQuery(companyId),
    sql`select company_id as "companyId", block, language, used, compacted, encode(live, 'base64') as live,
        live_count as "liveCount", word_total as "wordTotal", gram_total as "gramTotal", piece_total as "pieceTotal",
        raw_word_total as "rawWordTotal"
      from ragstone.lexical_blocks where company_id = ${companyLiteral(companyId)} order by block`,
  ]);
  const [content] = contents;
  if (!content) throw new Error("the company does not exist");
  const blocks = rows.map((row) => ({ ...row, live: Uint8Array.from(Buffer.from(row.live, "base64")) }));
  return { content: toServedState(content), blocks };
}

/** Reads these chunks in pages. Leaves out those deleted in between. */
export async function readIndexed(
  scope: TenantScope,
  model: ServedState["model"],
  ordinals: number[],
): Promise<LoadedChunk[]> {
  const chunks: LoadedChunk[] = [];
  const kept = new Map<string, VersionClues>();
  const perPage = Math.max(16, Math.floor(MESSAGE_BYTES / (4 * (model?.dimensions ?? 256))));
  for (let start = 0; start < ordinals.length; start += perPage) {
    chunks.push(...(await readPage(scope, model, ordinals.slice(start, start + perPage), kept)));
  }
  return chunks;
}

async function readPage(
  scope: TenantScope,
  model: ServedState["model"],
  ordinals: number[],
  kept: Map<string, VersionClues>,
): Promise<LoadedChunk[]> {
  const [rows, packed] = await scope.read<
    [
      { ordinal: number; text: number; head: string; start: string },
      { ordinals: string | null; vectors: string | null },
    ]
  >([
    sql`select ordinal, hashtext(content) as text, split_part(embedding_text, chr(10), 1) as head,
        left(content, ${sql.raw(String(START_LENGTH))}) as start
      from ragstone.chunks where company_id = ${companyLiteral(scope.companyId)} and ordinal = any(${intsLiteral(ordinals)})`,
    vectorsQuery(scope.companyId, model, ordinals),
  ]);
  const vectors = unpackVectors(packed[0], model?.dimensions ?? 0);
  return rows.map(({ ordinal, text, head, start }) => {
    const clues = toVersionClues({ head, start });
    const key = JSON.stringify(clues);
    // the chunks of a document share one object
    const shared = kept.get(key) ?? clues;
    kept.set(key, shared);
    return { ordinal, text, clues: shared, vector: vectors.get(ordinal) ?? null };
  });
}

/** All vectors in one row, in pgvector's binary form. */
function vectorsQuery(companyId: CompanyId, model: ServedState["model"], ordinals: number[]): SQL {
  return sql`select string_agg(ordinal::text, ',' order by ordinal) as ordinals,
      encode(string_agg(vector_send(embedding), ''::bytea order by ordinal), 'base64') as vectors
    from ragstone.embeddings where company_id = ${companyLiteral(companyId)}
      and model_id = ${sql.raw(String(model?.id ?? 0))} and ordinal = any(${intsLiteral(ordinals)})`;
}

function unpackVectors(
  packed: { ordinals: string | null; vectors: string | null } | undefined,
  dimensions: number,
): Map<number, Int16Array> {
  const ordinals = packed?.ordinals?.split(",").map(Number) ?? [];
  const bytes = Buffer.from(packed?.vectors ?? "", "base64");
  const stride = VECTOR_HEADER_BYTES + 4 * dimensions;
  return new Map(
    ordinals.map((ordinal, index) => {
      const start = index * stride + VECTOR_HEADER_BYTES;
      // big-endian; a copy, because the bytes may be unaligned
      const floats = Uint8Array.from(bytes.subarray(start, start + 4 * dimensions));
      Buffer.from(floats.buffer).swap32();
      return [ordinal, inSteps(new Float32Array(floats.buffer), STEPS.chunk)];
    }),
  );
}
