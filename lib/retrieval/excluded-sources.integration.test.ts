import { expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import type { KeyPolicy } from "../db/stored-json.ts";
import type { TenantScope } from "../db/tenant.ts";
import { deleteSource } from "../knowledge/service.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, newCompany } from "../testing/knowledge.ts";
import { fc } from "../testing/property.ts";
import type { RetrieveInput } from "./schema.ts";

testDatabase();

/** Few words in three languages, so that visible and hidden sources share most of them. */
const SENTENCES = [
  "The refund of a contract takes ten days.",
  "A contract ends after twenty months.",
  "Refund the router within ten days.",
  "The router and the contract are delivered together.",
  "Il rimborso del contratto richiede dieci giorni.",
  "Il contratto dura venti mesi e poi finisce.",
  "Der Vertrag endet nach zwanzig Monaten mit dem Router.",
];
const QUESTIONS = [
  "How long does a refund of my contract take?",
  "Quanto dura il contratto?",
  "router",
  // a question of the maximum length, so that it has more terms than the limit
  `Wann endet der Vertrag? ${Array.from({ length: 900 }, (_, i) => `${i.toString(36)}router`).join(" ")}`.slice(
    0,
    8_000,
  ),
];

/** A policy, the same restriction as filters, and labels of sources that pass it and that do not. */
interface Restriction {
  policy: KeyPolicy;
  filters: RetrieveInput["filters"];
  seen: object;
  unseen: object;
}

/** The question of a Q&A source. */
const questionOf = (text: string) => text.split(".")[0] ?? "";
const RESTRICTIONS: Restriction[] = [
  {
    policy: { audience: ["public", "partner"] },
    filters: { audience: "public" },
    seen: { audience: ["public", "staff"] },
    unseen: { audience: ["staff"] },
  },
  {
    policy: { contentCategory: ["help"] },
    filters: { contentCategory: ["help"] },
    seen: { contentCategory: "help" },
    unseen: { contentCategory: "internal" },
  },
  {
    policy: { path: ["Help"] },
    filters: { path: ["Help"] },
    seen: { path: ["Help", "Contracts"] },
    unseen: { path: ["Internal"] },
  },
  {
    policy: { sourceTypes: ["qa"] },
    filters: { sourceTypes: ["qa"] },
    seen: { sourceType: "qa" },
    unseen: {},
  },
  {
    policy: { contentCategory: ["help"] },
    filters: { metadata: { region: "EU", year: { gte: 2024 } } },
    seen: { contentCategory: "help", metadata: { region: "EU", year: 2024 } },
    unseen: { metadata: { region: "EU", year: 2023 } },
  },
];

const text = fc.array(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));
const step = fc.oneof(
  fc.record({ kind: fc.constant("put" as const), id: fc.nat(2), text }),
  fc.record({ kind: fc.constant("delete" as const), id: fc.nat(2) }),
);
const story = fc.record({
  restriction: fc.constantFrom(...RESTRICTIONS),
  byPolicy: fc.boolean(),
  seen: fc.array(text, { minLength: 1, maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  useRerank: fc.boolean(),
});

function source(sourceId: string, text: string, labels: object) {
  const document = { sourceType: "document", title: "Contracts", content: text };
  const given = "sourceType" in labels ? { question: questionOf(text), answer: text } : document;
  return { sourceId, ...given, ...labels };
}

function contentOf(text: string, labels: object): string {
  return "sourceType" in labels ? `${questionOf(text)}\n\n${text}` : text;
}

it("reveals nothing about hidden sources to a key: no result, order, score or count changes", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ restriction, byPolicy, seen, steps, useRerank }) => {
      const scope = await newCompany();
      await addAndIngest(scope, ...seen.map((text, i) => source(`seen-${i}`, text, restriction.seen)));
      const look = () =>
        views(
          scope,
          { useRerank, ...(byPolicy ? {} : { filters: restriction.filters }) },
          byPolicy ? restriction.policy : {},
        );
      const before = await look();
      await expectStable(scope, before, [...new Set(seen.map((text) => contentOf(text, restriction.seen)))]);
      const unseen = new Map<number, string>();
      for (const { id, ...each } of steps) {
        if (each.kind === "put") {
          const [accepted] = await addAndIngest(scope, source(`unseen-${id}`, each.text, restriction.unseen));
          if (accepted) unseen.set(id, accepted.id);
        } else {
          const row = unseen.get(id);
          if (row) await deleteSource(scope, SYSTEM_ACTOR, row);
          unseen.delete(id);
        }
        expect(await look()).toEqual(before);
      }
    }),
    // shrinking the story would index every source again
    { numRuns: 4, endOnFailure: true },
  );
}, 180_000);

/**
 * The whole response to each question, except times, the number of live chunks and where the search ran, which only
 * members see.
 */
async function views(scope: TenantScope, request: Partial<RetrieveInput>, policy: KeyPolicy) {
  return Promise.all(
    QUESTIONS.map(async (queryText) => {
      const { response, degraded, trace } = await ask(scope, { queryText, limit: 100, ...request }, { policy });
      const { retrievalTimeMs: _, ...shown } = response;
      const { live: __, starts: ___, index: ____, ...counts } = trace;
      return { queryText, request, policy, shown, degraded, counts };
    }),
  );
}

/** A higher limit appends, a higher threshold removes, and every visible text is returned. */
async function expectStable(scope: TenantScope, seen: Awaited<ReturnType<typeof views>>, texts: string[]) {
  for (const { queryText, request, policy, shown } of seen) {
    expect(new Set(shown.results.map(({ payload }) => payload.content))).toEqual(new Set(texts));
    expect(shown.results.map(({ score }) => score)).toEqual(
      shown.results.map(({ score }) => score).sort((a, b) => b - a),
    );
    const again = async (more: Partial<RetrieveInput>) =>
      (await ask(scope, { queryText, limit: 100, ...request, ...more }, { policy })).response.results;
    for (const limit of [1, 2, texts.length]) expect(await again({ limit })).toEqual(shown.results.slice(0, limit));
    const scoreThreshold = shown.results[1]?.score ?? 0;
    const above = shown.results.filter(({ score }) => score >= scoreThreshold);
    expect(await again({ scoreThreshold })).toEqual(above);
  }
}
