import { expect, it } from "vitest";
import { isStrict, questionType, typeMatch, typeWords } from "./question-type.ts";

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
  ["Wie lange dauert es?", "duration"],
  ["Quand commence-t-il ?", "time"],
  ["Wanneer begint het?", "time"],
  ["How much is it?", "money"],
  ["What do I pay for it?", "money"],
  ["What would my company have to pay?", "money"],
  ["Quanto costa?", "money"],
  ["¿Cuánto cuesta?", "money"],
  ["Wie viel kostet das?", "money"],
  ["Combien coûte-t-il ?", "quantity"],
  ["Quantos dias são?", "duration"],
  ["Hoeveel kost het?", "money"],
  ["Who runs it?", "person"],
  ["How many rooms are there?", "quantity"],
  ["Quante stanze ci sono?", "quantity"],
  ["What percentage is kept?", "percentage"],
  ["What is the phone number?", "phone"],
  ["Qual è l'indirizzo email?", "email"],
  ["Within how many days?", "duration"],
  ["Entro quanto tempo?", "duration"],
  ["Quali sono i servizi?", "list"],
  ["Is it blue?", "decision"],
  ["Posso disdire?", "decision"],
  ["What is it?", null],
] as const)("%j asks for %s", (question, type) => {
  expect(questionType(question)).toBe(type);
});

it("recognises a sentence that contains what the question asks for", () => {
  expect(typeMatch("It costs 5 €.", "money")).toBe(1);
  expect(typeMatch("It costs 5.", "money")).toBe(0.5);
  expect(typeMatch("It is cheap.", "money")).toBe(0);
  expect(typeMatch("The customer has thirty (30) days.", "duration")).toBe(1);
  expect(typeMatch("Entro quattordici giorni, ossia 14 giorni.", "duration")).toBe(1);
  expect(typeMatch("Refunds are paid within fourteen days.", "duration")).toBe(1);
  expect(typeMatch("Refunds are paid within fourteen days.", "time")).toBe(1);
  expect(typeMatch("See section 11.", "quantity")).toBe(0);
  expect(typeMatch("Call 0461 000 180.", "phone")).toBe(1);
  expect(typeMatch("Call us.", "phone")).toBe(0);
  expect(typeMatch("Write to help@valtessa.example.", "email")).toBe(1);
  expect(typeMatch("It was made by Ada Lovelace.", "person")).toBe(1);
  expect(typeMatch("It costs 5 €.", null)).toBe(0);
});

it("knows which types nothing else can answer, and the words that ask for them", () => {
  expect(isStrict("phone")).toBe(true);
  expect(isStrict("person")).toBe(false);
  expect(isStrict(null)).toBe(false);
  expect(typeWords("How much does the move cost?")).toBe("how much does cost");
  expect(typeWords("How high is the reminder fee?")).toBe("fee how high");
  expect(typeWords("Is it blue?")).toBe("");
});
