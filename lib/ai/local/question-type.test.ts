import { expect, it } from "vitest";
import { matchesType, questionType } from "./question-type.ts";

it.each([
  ["How do I reset my router?", "procedure"],
  ["Come si disdice il contratto?", "procedure"],
  ["¿Cómo puedo pagar?", "procedure"],
  ["Wie kann ich kündigen?", "procedure"],
  ["Comment changer de forfait ?", "procedure"],
  ["Hoe kan ik opzeggen?", "procedure"],
  ["When does it start?", "time"],
  ["Quando arriva?", "time"],
  ["¿Cuándo llega?", "time"],
  ["Wie lange dauert es?", "time"],
  ["Quand commence-t-il ?", "time"],
  ["Wanneer begint het?", "time"],
  ["How much is it?", "quantity"],
  ["Quanto costa?", "quantity"],
  ["¿Cuánto cuesta?", "quantity"],
  ["Wie viel kostet das?", "quantity"],
  ["Combien coûte-t-il ?", "quantity"],
  ["Quantos dias são?", "quantity"],
  ["Hoeveel kost het?", "quantity"],
  ["Who runs it?", "person"],
  ["Is it blue?", null],
] as const)("%j asks for %s", (question, type) => {
  expect(questionType(question)).toBe(type);
});

it("recognises a sentence that contains what the question asks for", () => {
  expect(matchesType("It costs 5 €.", "quantity")).toBe(true);
  expect(matchesType("It is cheap.", "quantity")).toBe(false);
  expect(matchesType("It was made by Ada Lovelace.", "person")).toBe(true);
  expect(matchesType("It costs 5 €.", null)).toBe(false);
});
