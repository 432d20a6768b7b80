import { deepStrictEqual } from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { SYSTEM_ACTOR } from "../../lib/audit/record.ts";
import type { KeyPolicy } from "../../lib/db/stored-json.ts";
import type { TenantScope } from "../../lib/db/tenant.ts";
import { env } from "../../lib/env.ts";
import { browseSources } from "../../lib/knowledge/browse/browse.ts";
import { browseQuery } from "../../lib/knowledge/browse/browse-query.ts";
import { listSources } from "../../lib/knowledge/browse/list.ts";
import { originalOf } from "../../lib/knowledge/browse/source-page.ts";
import { dataPaths } from "../../lib/paths.ts";
import type { RetrieveInput } from "../../lib/retrieval/schema.ts";
import { sha256 } from "../../lib/sha256.ts";
import { ask } from "../../lib/testing/knowledge.ts";
import { knowledgeSums } from "../../lib/testing/knowledge-sums.ts";
import { checkAdmission } from "./store-check-keys.ts";
import { type CompanyModel, restorable, statusOf, typeOf, type Visible, visibleTo } from "./store-model.ts";
import { textOf } from "./store-texts.ts";
import type { ModelWorld, RealCompany, RealWorld } from "./store-world.ts";

/** Filters to check in addition to the policies of the keys. */
const FILTERS: { filters: RetrieveInput["filters"]; policy: KeyPolicy }[] = [
  { filters: { audience: "staff" }, policy: { audience: ["staff"] } },
  { filters: { sourceTypes: ["qa"] }, policy: { sourceTypes: ["qa"] } },
];

/**
 * Checks that retrieval, lists, counts and originals agree with the model.
 * @param at index of the changed company, which is checked in full; the other is checked briefly. Without it, checks both in full
 */
export async function checkWorld(model: ModelWorld, real: RealWorld, at?: number): Promise<void> {
  const question = real.checks++;
  for (const [index, company] of model.companies.entries()) {
    const own = real.companies[index];
    if (!own) throw new Error("a company is missing");
    const isUnavailable = company.serving !== null && company.serving !== model.model;
    const asked = { question, isUnavailable };
    if (at === undefined || at === index) {
      for (const key of own.keys) {
        const policy = await checkAdmission(company, own, key);
        await checkAnswer(company, own, { ...asked, policy: key.policy, options: { policy } });
      }
      for (const each of FILTERS) await checkAnswer(company, own, { ...asked, ...each });
      await checkOriginals(company, own);
    } else await checkAnswer(company, own, { ...asked, policy: {} });
    await checkLists(company, own);
  }
}

interface Asked {
  /** The restriction that the model applies. */
  policy: KeyPolicy;
  filters?: RetrieveInput["filters"];
  options?: { policy: KeyPolicy };
  /** Index of the visible chunk to ask for. */
  question: number;
  /** True when the model of the company's vectors is unavailable, so that search uses only words. */
  isUnavailable: boolean;
}

async function checkAnswer(company: CompanyModel, { scope }: RealCompany, asked: Asked): Promise<void> {
  const visible = visibleTo(company, asked.policy);
  const contents = visible.flatMap(({ served }) => served.reading.contents);
  const queryText = contents[asked.question % contents.length] ?? "Refunds of routers";
  const { response, degraded } = await ask(scope, { queryText, limit: 100, filters: asked.filters }, asked.options);
  const { results } = response;
  deepStrictEqual(degraded, asked.isUnavailable ? ["embedding"] : [], "what retrieval did without");
  for (const { payload } of results) {
    const { title, audience, contentCategory, path, sourceType, sourceId } = payload;
    const shown = visible.find(({ name }) => name === sourceId);
    deepStrictEqual(
      { title, audience, contentCategory, path, sourceType, owner: payload.metadata.owner },
      shownOf(shown),
    );
  }
  if (contents.length > 0) {
    // by words alone, a translation may come before the text itself
    const expected = asked.isUnavailable ? results : results.slice(0, 1);
    const shown = expected.map(({ payload }) => payload.content);
    // a Q&A source may contain the same text as a document
    if (!shown.some((content) => content.includes(queryText)))
      deepStrictEqual(shown, [queryText], "the results of an exact question");
  }
  const found = results.map(({ payload: { content, audience, sourceId, metadata } }) => {
    const others = Array.isArray(metadata.alsoIn) ? metadata.alsoIn : [];
    return line(content, audience, [sourceId, ...others]);
  });
  const expected = groups(visible);
  // a search by words finds only chunks that share words
  const missing = asked.isUnavailable ? [] : expected.filter((each) => !found.includes(each));
  const surplus = asked.isUnavailable ? [] : found.filter((each) => !expected.includes(each));
  deepStrictEqual({ missing, surplus }, { missing: [], surplus: [] }, "what is found");
}

function shownOf(visible: Visible | undefined) {
  if (!visible) return "not visible";
  const { audience, served } = visible;
  const { title, labels, body } = served;
  const { contentCategory, path, metadata } = labels;
  return { title, audience, contentCategory, path, sourceType: typeOf(body), owner: metadata.owner };
}

/** Groups chunks with the same text and audiences, which are one result. */
function groups(visible: Visible[]): string[] {
  const chunks = visible.flatMap(({ name, served, audience }) =>
    served.reading.contents.map((content) => ({ name, content, audience })),
  );
  const same = Map.groupBy(chunks, ({ content, audience }) => JSON.stringify([content, audience.toSorted()]));
  return [...same.values()].flatMap((each) => {
    const [first] = each;
    return first
      ? line(
          first.content,
          first.audience,
          each.map(({ name }) => name),
        )
      : [];
  });
}

function line(content: string, audience: string[], sources: string[]): string {
  return JSON.stringify([content, audience.toSorted(), [...new Set(sources)].sort()]);
}

async function checkLists(company: CompanyModel, { scope }: RealCompany): Promise<void> {
  const known = [...company.sources].filter(([, { deleted }]) => !deleted).sort(([a], [b]) => (a < b ? -1 : 1));
  const listed = await listSources(scope, SYSTEM_ACTOR);
  deepStrictEqual(
    listed.map(({ sourceId, title, sourceType, status, chunks }) => ({ sourceId, title, sourceType, status, chunks })),
    known.map(([sourceId, source]) => ({
      sourceId,
      title: source.latest.title,
      sourceType: typeOf(source.latest.body),
      status: statusOf(source),
      chunks: source.served?.reading.contents.length ?? 0,
    })),
    "the list of sources",
  );
  const { counts } = await browseSources(scope, SYSTEM_ACTOR, browseQuery.parse({}));
  const deleted = await browseSources(scope, SYSTEM_ACTOR, browseQuery.parse({ status: "deleted" }));
  const countOf = (status: string) => known.filter(([, source]) => statusOf(source) === status).length;
  deepStrictEqual(
    { ...counts, deleted: deleted.total },
    {
      known: known.length,
      processing: countOf("processing"),
      failed: countOf("failed"),
      deleted: company.sources.size - known.length,
    },
    "the counts of the list",
  );
}

async function checkOriginals(company: CompanyModel, { scope, ids }: RealCompany): Promise<void> {
  for (const [name, { latest, served }] of company.sources) {
    const { body } = served ?? latest;
    const stored = await originalOf(scope, SYSTEM_ACTOR, ids.get(name) ?? "").then(
      ({ stream }) => text(stream),
      () => null,
    );
    deepStrictEqual(stored, body.kind === "file" ? textOf(body) : null, `the original of ${name}`);
  }
}

/** Checks the database when no job is waiting: nothing is left over and nothing is missing. */
export async function checkSettled(company: CompanyModel, { scope }: RealCompany): Promise<void> {
  const sources = [...company.sources.values()];
  const chunksOf = (those: typeof sources) =>
    those.reduce((sum, { served }) => sum + (served?.reading.contents.length ?? 0), 0);
  const { live, words, liveWords, chunks, unembedded } = await knowledgeSums(scope);
  const shown = chunksOf(sources.filter(({ deleted }) => !deleted));
  deepStrictEqual(
    { live, words, chunks, unembedded },
    { live: shown, words: liveWords, chunks: chunksOf(sources), unembedded: 0 },
    "the sums of the index",
  );
  await checkLanguages(company, scope);
  const bodies = sources.flatMap((source) => [
    source.latest.body,
    ...(source.served ? [source.served.body] : []),
    ...restorable(source).map(({ body }) => body),
  ]);
  const originals = bodies.flatMap((body) => (body.kind === "file" ? sha256(Buffer.from(textOf(body))) : []));
  const folder = join(dataPaths(env().dataDir).files, scope.companyId);
  const files = await readdir(folder).catch(() => []);
  deepStrictEqual(files.sort(), [...new Set(originals)].sort(), "the files of originals");
}

/** Checks that the keyword index holds no purged chunk. */
export async function checkCompacted({ companyId, transaction }: TenantScope): Promise<void> {
  const [row] = await transaction((tx) =>
    tx.execute<{ held: number; chunks: number }>(sql`
      select (select coalesce(sum(used - compacted), 0)::int from ragstone.lexical_blocks
          where company_id = ${companyId}) as held,
        (select count(*)::int from ragstone.chunks where company_id = ${companyId}) as chunks`),
  );
  deepStrictEqual(row?.held, row?.chunks, "the chunks that the compacted index holds");
}

/** Checks that the chunks of each source are indexed in its language. */
async function checkLanguages(company: CompanyModel, scope: TenantScope): Promise<void> {
  const rows = await scope.transaction((tx) =>
    tx.execute<{ name: string; language: string }>(sql`
      select distinct s.source_id as name, b.language from ragstone.sources s
      join ragstone.version_chunks p on p.company_id = s.company_id and p.version_id = s.current_version_id
      join ragstone.chunks c on c.company_id = s.company_id and c.id = p.chunk_id
      join ragstone.lexical_blocks b on b.company_id = s.company_id and b.block = c.ordinal / 4096
      where s.company_id = ${scope.companyId}
      order by 1, 2`),
  );
  const expected = [...company.sources].flatMap(([name, { served }]) =>
    served ? { name, language: served.reading.language } : [],
  );
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  deepStrictEqual(
    rows.map(({ name, language }) => ({ name, language })),
    expected.sort(byName),
    "the languages of the index",
  );
}
