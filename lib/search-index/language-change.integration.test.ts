import { expect, it } from "vitest";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { addAndIngest, ask, document, newCompany } from "../testing/knowledge.ts";
import { knowledgeSums } from "../testing/knowledge-sums.ts";

testDatabase();

const section = (heading: string, sentence: string) => `# ${heading}\n\n${`${sentence} `.repeat(12)}`;
const ITALIAN = section("Rimborsi", "I rimborsi degli abbonamenti sono pagati entro quattordici giorni sulle carte.");
const ENGLISH = section("Refunds", "Refunds of subscriptions are paid within fourteen days to the cards of customers.");
const GERMAN = section("Verträge", "Die Verträge der Kunden enden nach vierundzwanzig Monaten ohne weitere Fristen.");

async function answers(scope: TenantScope) {
  const questions = ["rimborso abbonamento", "subscription refund", "Vertrag eines Kunden"];
  const asked = await Promise.all(questions.map((queryText) => ask(scope, { queryText })));
  return asked.map(({ response }) =>
    response.results.map(({ score, payload }) => ({ score, content: payload.content })),
  );
}

it("a source whose language changes gives the same results as one that had the language from the start", async () => {
  const [changed, fresh] = [await newCompany(), await newCompany()];
  await addAndIngest(changed, document("terms", [ENGLISH, ITALIAN].join("\n\n")), document("other", GERMAN));
  const ids = async () => {
    const { results } = (await ask(changed, { queryText: "rimborsi" })).response;
    const own = results.filter(({ payload }) => payload.sourceId === "terms");
    return own.map(({ id, payload }): [string, string] => [payload.content, id]);
  };
  const before = await ids();
  const edited = [ITALIAN, GERMAN, ENGLISH].join("\n\n");
  await addAndIngest(changed, document("terms", edited));
  await addAndIngest(fresh, document("terms", edited), document("other", GERMAN));
  expect(await answers(changed)).toEqual(await answers(fresh));
  const { live, words, liveWords, chunks, unembedded } = await knowledgeSums(changed);
  expect({ live, words, unembedded }).toEqual({ live: chunks, words: liveWords, unembedded: 0 });
  // the text of these chunks did not change
  expect(await ids()).toEqual(expect.arrayContaining(before));
  expect(before).toHaveLength(2);
});
