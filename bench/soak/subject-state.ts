import { sql } from "drizzle-orm";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { type KnowledgeSums, knowledgeSums } from "../../lib/testing/knowledge-sums.ts";
import { type Measured, row } from "./machine.ts";
import { resultsOf } from "./results-of.ts";

const QUESTIONS = 20;

/** What a company has and returns. */
interface SubjectState {
  knowledge: KnowledgeSums;
  /** A digest of the chunks of each source. */
  texts: Map<string, string>;
  /** Versions of all sources. */
  versions: number;
  results: unknown[][];
}

/** What a company was given. */
interface Given {
  sources: number;
  puts: number;
}

/** @param ask sends one question, which must be answered */
export async function stateOf(
  scope: TenantScope,
  ask: (queryText: string) => Promise<Response>,
): Promise<SubjectState> {
  const results: unknown[][] = [];
  for (let index = 0; index < QUESTIONS; index++) {
    const response = await ask(`what does part ${index % 5} of source ${index} hold?`);
    results.push(resultsOf(await response.json()));
  }
  return { knowledge: await knowledgeSums(scope), results, ...(await textsOf(scope)) };
}

async function textsOf({ companyId, transaction }: TenantScope): Promise<Pick<SubjectState, "texts" | "versions">> {
  const sources = await transaction((tx) =>
    tx.execute<{ sourceId: string; digest: string; versions: number }>(sql`
      select s.source_id as "sourceId",
        (select coalesce(md5(string_agg(c.content, '|' order by p.position)), '') from ragstone.version_chunks p
          join ragstone.chunks c on c.company_id = p.company_id and c.id = p.chunk_id
          where p.company_id = s.company_id and p.version_id = s.current_version_id) as digest,
        (select count(*)::int from ragstone.source_versions v
          where v.company_id = s.company_id and v.source_id = s.id) as versions
      from ragstone.sources s where s.company_id = ${companyId}::uuid`),
  );
  return {
    texts: new Map(sources.map(({ sourceId, digest }) => [sourceId, digest])),
    versions: sources.reduce((sum, { versions }) => sum + versions, 0),
  };
}

/** Compares a company that suffered faults with a clean one that got the same sources. */
export function compareStates(
  { harmed, clean }: Record<"harmed" | "clean", SubjectState>,
  { sources, puts }: Given,
): Measured[] {
  const { ready, unfinished, unembedded } = harmed.knowledge;
  // chunks that are not purged yet may differ
  const [served, wanted] = [harmed, clean].map(({ knowledge: { live, words, places } }) => ({ live, words, places }));
  const differing = [...clean.texts].filter(([sourceId, digest]) => harmed.texts.get(sourceId) !== digest);
  const results = harmed.results.flat().length;
  return [
    row("every accepted source is searchable", `${ready} of ${sources}`, ready === sources),
    row("one source for each identifier", `${harmed.texts.size} of ${sources}`, harmed.texts.size === sources),
    row("one version for each PUT, even if it was repeated", `${harmed.versions} of ${puts}`, harmed.versions === puts),
    row(
      "every source has the text of its last PUT",
      `${differing.length} of ${clean.texts.size} differ`,
      differing.length === 0 && clean.texts.size === sources,
    ),
    row("no job is left over", `${unfinished} unfinished`, unfinished === 0),
    row("every chunk has its vector", `${unembedded} without a vector`, unembedded === 0),
    row("chunks, words and positions as without faults", JSON.stringify(served), isSame(served, wanted)),
    row(
      "results and scores as without faults",
      `${results} of ${harmed.results.length} questions`,
      results > 0 && isSame(harmed.results, clean.results),
    ),
  ];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
