import { beforeAll, describe, expect, it } from "vitest";
import type { TenantScope } from "../db/tenant.ts";
import { testDatabase } from "../testing/database.ts";
import { ask, companyWith, document } from "../testing/knowledge.ts";

testDatabase();

const ENGLISH = [
  document("refunds", "We pay a refund within ten days. It goes to the account that you paid from."),
  document(
    "opening",
    "The shop in the old town is open from nine to six, and closed on the first Sunday of the month.",
  ),
  document("parking", "Visitors leave their cars behind the building, where the first two hours are free of charge."),
];
const ITALIAN = [
  document(
    "deposito",
    "Per ogni strumento si versa un deposito di 80 euro, che viene restituito alla fine del noleggio.",
  ),
  document("pulizia", "Le stanze vengono pulite ogni mattina, e la biancheria si cambia due volte alla settimana."),
];
const QUESTIONS = [
  ["Entro quanti giorni ricevo il rimborso?", "refunds", "ten days"],
  ["¿En cuántos días recibo el reembolso?", "refunds", "ten days"],
  ["Innerhalb von wie vielen Tagen bekomme ich die Rückerstattung?", "refunds", "ten days"],
  ["How much is the deposit for an instrument?", "deposito", "80 euro"],
  ["Wie hoch ist die Kaution für ein Instrument?", "deposito", "80 euro"],
] as const;

let scope: TenantScope;
beforeAll(async () => {
  scope = await companyWith(...ENGLISH, ...ITALIAN);
});

describe("a question in another language than the document", () => {
  it.each(QUESTIONS)("%s finds %s and is answered by it", async (queryText, sourceId, fact) => {
    const { response } = await ask(scope, { queryText, returnMode: "ai_generated_answer" });
    expect(response.results[0]?.payload.sourceId).toBe(sourceId);
    expect(response.aiGeneratedAnswer).toContain(fact);
  });

  it("is refused in its own language when the documents do not answer it", async () => {
    const { response } = await ask(scope, {
      queryText: "Qual è il numero di telefono dell'idraulico?",
      returnMode: "ai_generated_answer",
    });
    expect(response.aiGeneratedAnswer).toMatch(/^Non ho trovato/);
  });
});

it("what is in the question's language comes before the same in another one", async () => {
  const both = await companyWith(
    ...ENGLISH,
    document("rimborsi", "Paghiamo il rimborso entro dieci giorni, sul conto da cui è arrivato il pagamento."),
  );
  const firstFor = async (queryText: string) =>
    (await ask(both, { queryText })).response.results.map(({ payload }) => payload.sourceId)[0];
  expect(await firstFor("Entro quanti giorni ricevo il rimborso?")).toBe("rimborsi");
  expect(await firstFor("Within how many days do I get the refund?")).toBe("refunds");
});
