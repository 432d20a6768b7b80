import { expect, it } from "vitest";
import { SYSTEM_ACTOR } from "../audit/record.ts";
import { listManaged } from "../knowledge/manage/list.ts";
import { listQuery } from "../knowledge/manage/schema.ts";
import { testDatabase } from "../testing/database.ts";
import { ask, companyWith, document } from "../testing/knowledge.ts";

testDatabase();

it("lets the words decide in a script that the bundled model cannot read", async () => {
  const scope = await companyWith(
    document("returns", "ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวัน"),
    document("opening", "ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า"),
    document("delivery", "การจัดส่งใช้เวลาสองวันทำการ"),
  );
  const { results } = (await ask(scope, { queryText: "คืนสินค้าได้ภายในกี่วัน" })).response;
  expect(results[0]?.payload.sourceId).toBe("returns");
  const unrelated = results.find(({ payload }) => payload.sourceId === "delivery");
  expect(unrelated?.score ?? 0).toBeLessThan((results[0]?.score ?? 0) / 2);
});

it("does not answer with an unrelated question and answer in such a script", async () => {
  const scope = await companyWith({
    ...{ sourceType: "qa", sourceId: "returns" },
    ...{ question: "คืนสินค้าได้ไหม", answer: "ได้ครับ ภายในสามสิบวัน พร้อมใบเสร็จ" },
  });
  const request = { queryText: "เปิดบัญชีอย่างไร", returnMode: "ai_generated_answer" as const };
  const { aiGeneratedAnswer } = (await ask(scope, request)).response;
  expect(aiGeneratedAnswer).not.toContain("ใบเสร็จ");
});

it("answers with the answer of the same question in such a script", async () => {
  const scope = await companyWith(
    ...["คืนสินค้าได้ไหม", "ร้านเปิดกี่โมง"].map((question, index) => ({
      ...{ sourceType: "qa", sourceId: `qa-${index}`, question },
      answer: ["ได้ครับ ภายในสามสิบวัน พร้อมใบเสร็จ", "ร้านเปิดทุกวัน ตั้งแต่ เก้าโมงเช้า"][index],
    })),
  );
  const request = { queryText: "ร้านเปิดกี่โมง", returnMode: "ai_generated_answer" as const };
  const { aiGeneratedAnswer } = (await ask(scope, request)).response;
  expect(aiGeneratedAnswer).toContain("เก้าโมงเช้า");
  expect(aiGeneratedAnswer).not.toContain("ใบเสร็จ");
});

it("answers with a sentence of a script without spaces", async () => {
  const scope = await companyWith(document("opening", "税金は年末に払います。店は毎朝九時に開きます。"));
  const request = { queryText: "店は何時に開きますか", returnMode: "ai_generated_answer" as const };
  const { aiGeneratedAnswer } = (await ask(scope, request)).response;
  expect(aiGeneratedAnswer).toContain("店は毎朝九時に開きます。");
});

it("finds sources by a single Chinese or Japanese character", async () => {
  const scope = await companyWith(document("tax", "税金は年末に払います。"), document("contract", "A社の契約です。"));
  const found = async (search: string) =>
    (await listManaged(scope, SYSTEM_ACTOR, listQuery.parse({ search }))).sources.map(({ sourceId }) => sourceId);
  expect(await found("税")).toEqual(["tax"]);
  expect(await found("A社")).toEqual(["contract"]);
});
