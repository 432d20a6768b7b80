import { beforeAll, describe, expect, it } from "vitest";
import type { EmbedFor } from "../ai/local/vector-cache.ts";
import { createModels, RUNNING_MODELS } from "../ai/models.ts";
import type { TenantScope } from "../db/tenant.ts";
import { env } from "../env.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { RERANKED } from "./rerank-chunks.ts";
import { retrieveResponse } from "./schema.ts";

testDatabase();

const TOPICS = [
  "invoice",
  "router",
  "roaming",
  "backup",
  "domain",
  "password",
  "contract",
  "refund",
  "delivery",
  "support",
];

describe("retrieval", () => {
  let scope: TenantScope;
  beforeAll(async () => {
    scope = await newCompany();
    const documents = TOPICS.flatMap((topic) =>
      Array.from({ length: 6 }, (_, i) =>
        document(
          `${topic}/${i}.md`,
          `Rule ${i} about the ${topic}: the ${topic} of a customer is handled within ${i + 1} days.`,
          {
            audience: i % 2 ? ["copilot"] : ["ai_agent"],
            contentCategory: i < 3 ? "policy" : "guide",
            path: ["Help", topic, `Level ${i}`],
          },
        ),
      ),
    );
    await addAndIngest(scope, ...documents, {
      sourceType: "qa",
      sourceId: "qa-1",
      question: "Can I pay in instalments?",
      answer: "Yes, over three months without interest.",
      alternatives: ["Is it possible to split my bill?", "Paying step by step"],
    });
  });

  it("returns the shape of the contract", async () => {
    const { response } = await ask(scope, { queryText: "How long does a refund take?" });
    expect(retrieveResponse.parse(response)).toEqual(response);
    expect(response.results[0]?.payload.sourceId).toMatch(/^refund/);
    expect(response.total).toBe(response.results.length);
  });

  it("returns the same results again, and a higher limit only appends", async () => {
    const run = async (limit: number) =>
      (await ask(scope, { queryText: "rule about my router", limit })).response.results.map(({ id, score }) => ({
        id,
        score,
      }));
    const [five, again, twenty, hundred] = [await run(5), await run(5), await run(20), await run(100)];
    expect(again).toEqual(five);
    expect(twenty.slice(0, 5)).toEqual(five);
    expect(hundred.slice(0, 20)).toEqual(twenty);
    const scores = hundred.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });

  it("only appends when scores are equal", async () => {
    const other = await newCompany();
    // different texts with equal scores in every model, added in reverse order of the names that break the tie
    const equals = [
      "marble is old",
      "Marble is old",
      "marble Is old",
      "marble is Old",
      "Marble Is Old",
      "MARBLE is old",
    ];
    await addAndIngest(
      other,
      ...equals.map((text, i) => document(`marble/${9 - i}.md`, `${text}.`, { title: "Marble" })),
    );
    const run = async (limit: number) =>
      (await ask(other, { queryText: "How old is marble?", limit })).response.results.map(({ score, payload }) => ({
        score,
        sourceId: payload.sourceId,
      }));
    const all = await run(equals.length);
    expect(new Set(all.map(({ score }) => score)).size).toBe(1);
    expect(all.map(({ sourceId }) => sourceId)).toEqual(all.map(({ sourceId }) => sourceId).toSorted());
    for (let limit = 1; limit < equals.length; limit++) expect(await run(limit)).toEqual(all.slice(0, limit));
  });

  it("returns every chunk that passes, up to the limit", async () => {
    const { response } = await ask(scope, { queryText: "anything", limit: 100 });
    expect(response.total).toBe(61);
  });

  it("compares the threshold with the returned score", async () => {
    const all = (await ask(scope, { queryText: "lost password", limit: 100 })).response.results;
    const threshold = all[7]?.score ?? 0;
    const some = (await ask(scope, { queryText: "lost password", limit: 100, scoreThreshold: threshold })).response
      .results;
    expect(some).toEqual(all.filter(({ score }) => score >= threshold));
    expect(some.length).toBeGreaterThanOrEqual(8);
  });

  it.each([
    ["audience", { audience: "copilot" }, 31],
    ["an audience nobody uses", { audience: "nobody" }, 0],
    ["source types", { sourceTypes: ["qa" as const] }, 1],
    ["one category", { contentCategory: "policy" }, 30],
    ["categories", { contentCategory: ["policy", "guide"] }, 60],
    ["a path", { path: ["Help", "router"] }, 6],
    ["all together", { path: ["Help"], audience: "ai_agent", contentCategory: "policy" }, 20],
  ])("filters by %s and finds all that there are", async (_name, filters, count) => {
    const { response } = await ask(scope, { queryText: "the rule", limit: 100, filters });
    expect(response.total).toBe(count);
  });

  it("stays within the key's policy, whatever the request says", async () => {
    const policy = { audience: ["ai_agent"], limit: 3 };
    const inside = await ask(scope, { queryText: "the rule", limit: 100 }, { policy });
    expect(inside.response.total).toBe(3);
    const outside = await ask(scope, { queryText: "the rule", filters: { audience: "copilot" } }, { policy });
    expect(outside.response.results).toEqual([]);
    const answer = ask(scope, { queryText: "rule", returnMode: "ai_generated_answer" }, { policy: { answers: false } });
    await expect(answer).rejects.toMatchObject({ error: "Forbidden" });
  });

  it("finds a question once by an alternative phrasing", async () => {
    const { response } = await ask(scope, { queryText: "split the bill", limit: 100 });
    const answers = response.results.filter(({ payload }) => payload.sourceId === "qa-1");
    expect(answers).toHaveLength(1);
    expect(response.results[0]?.payload).toMatchObject({
      title: "Can I pay in instalments?",
      content: "Can I pay in instalments?\n\nYes, over three months without interest.",
      sourceType: "qa",
    });
  });

  it("names the other sources that have the same text", async () => {
    const own = await newCompany();
    await addAndIngest(
      own,
      document("b", "The same words."),
      document("a", "The same words."),
      document("c", "Other words."),
    );
    const { response } = await ask(own, { queryText: "the same words" });
    expect(response.results.map(({ payload }) => payload.sourceId)).toContain("c");
    expect(response.total).toBe(2);
    const [first] = response.results;
    expect([first?.payload.sourceId, first?.payload.metadata.alsoIn]).toEqual(["a", ["b"]]);
  });

  it("reranks the best results without dropping any", async () => {
    const plain = await ask(scope, { queryText: "Rule 4 about the domain", limit: 100 });
    const ranked = await ask(scope, { queryText: "Rule 4 about the domain", limit: 100, useRerank: true });
    expect(ranked.response.results.map(({ id }) => id).sort()).toEqual(
      plain.response.results.map(({ id }) => id).sort(),
    );
    const scores = ranked.response.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(ranked.response.results[0]?.payload.sourceId).toBe("domain/4.md");
    const unread = ({ response }: typeof plain) => response.results.slice(RERANKED).map(({ id }) => id);
    expect(unread(plain).length).toBeGreaterThan(5);
    expect(unread(ranked)).toEqual(unread(plain));
    expect(new Set(scores.slice(RERANKED - 1)).size).toBe(scores.length - RERANKED + 1);
  });

  it("caches the vectors of the sentences that reranking reads, for the company alone", async () => {
    const other = await newCompany();
    await addAndIngest(
      other,
      document("backups", "We keep backups. They stay for a month. After that, they are deleted."),
    );
    const models = createModels(env());
    const companies: (string | undefined)[] = [];
    const embedFor: EmbedFor = (companyId) => {
      companies.push(companyId);
      return models.embedFor(companyId);
    };
    RUNNING_MODELS.set({ ...models, embedFor });
    try {
      const { response } = await ask(other, { queryText: "How long do you keep backups?", useRerank: true });
      expect(response.results).toHaveLength(1);
      expect(companies).toEqual([other.companyId]);
    } finally {
      RUNNING_MODELS.set();
    }
  });

  it("answers only from the results, with citations, or says that it cannot answer", async () => {
    const known = await ask(scope, { queryText: "Can I pay in instalments?", returnMode: "ai_generated_answer" });
    expect(known.response.aiGeneratedAnswer).toMatch(/three months without interest.*\[1\]/);
    const empty = await newCompany();
    const nothing = await ask(empty, {
      queryText: "Posso pagare una fattura a rate?",
      returnMode: "ai_generated_answer",
    });
    expect(nothing.response).toMatchObject({ results: [], total: 0 });
    expect(nothing.response.aiGeneratedAnswer).toMatch(/non/i);
  });

  it("treats hostile text as plain text", async () => {
    for (const queryText of [
      "'; drop table ragstone.chunks; --",
      "{}",
      "%_\\",
      "a\u0000b\ud800c",
      "🙂",
      "日本語の質問",
    ]) {
      const { response } = await ask(scope, { queryText });
      expect(response.total).toBeGreaterThan(0);
    }
  });

  it("returns nothing to another company", async () => {
    const other = await newCompany("Other");
    const { response } = await ask(other, { queryText: "Rule 4 about the domain", limit: 100 });
    expect(response.results).toEqual([]);
  });
});
