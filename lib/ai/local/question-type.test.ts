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
  ["To which address do I send it?", "address"],
  ["What if my address changes?", null],
  ["What is the bank account of the supplier?", "account"],
  ["How much does it weigh?", "weight"],
  ["Quanto pesa?", "weight"],
  ["Wegen Umzug kündigen?", null],
  ["On which date is it due?", "time"],
  ["At what age does it end?", "quantity"],
  ["What is the fine for parking?", "money"],
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
  expect(typeMatch("Send it to Mill Lane 17, Ipswich.", "address")).toBe(1);
  expect(typeMatch("Send it by parcel.", "address")).toBe(0);
  expect(typeMatch("Pay to IT60 X054 2811 1010 0000 0123 456.", "account")).toBe(1);
  expect(typeMatch("Pay within 14 days.", "account")).toBe(0);
  expect(typeMatch("A pair weighs 1.4 kg.", "weight")).toBe(1);
  expect(typeMatch("A pair costs 46 €.", "weight")).toBe(0);
  expect(typeMatch("It was made by Ada Lovelace.", "person")).toBe(1);
  expect(typeMatch("It costs 5 €.", null)).toBe(0);
});

it.each([
  "Send it to Mill Lane 17.",
  "We are at 17 Mill Lane.",
  "2045 W Grand Ave, Chicago",
  "Scrivi a Via delle Officine 12, Trento.",
  "siamo in via Roma, 5",
  "Die Hauptstraße 12a ist unser Sitz.",
  "Unter den Linden 5",
  "12, rue de la Paix",
  "Keizersgracht 12",
  "Valtessa, 38122 Trento",
  "Ipswich IP1 2AB",
  "P.O. Box 9",
  "Write to help@valtessa.example.",
])("%j surely holds an address", (text) => {
  expect(typeMatch(text, "address")).toBe(1);
});

it.each([
  ["Since March 2026 we send it by parcel.", "address"],
  ["Until 3 May it is free.", "address"],
  ["Choose Fibra 1000 or ValtBox 7.", "address"],
  ["Il corso Excel 2019 è finito.", "address"],
  ["Am Freitag, 17 Uhr", "address"],
  ["Via the app it takes 24 hours.", "address"],
  ["Innerhalb von 14 Tagen, ab 2026 März", "address"],
  ["Choose a 5G router.", "weight"],
  ["Call us at 0461 123456.", "account"],
  ["The account team answers calls: phone 0461 123456.", "account"],
  ["The order number is 1234567.", "account"],
] as const)("%j does not surely hold what asks for %s", (text, type) => {
  expect(typeMatch(text, type)).toBeLessThan(1);
});

it.each([
  ["Add 5 g of salt, or 200g of flour.", "weight"],
  ["Es wiegt 5 Kilo.", "weight"],
  ["Account number: 12345678", "account"],
  ["Kontonummer 12 34 567", "account"],
  ["Pay to IT60X0542811101000000123456.", "account"],
] as const)("%j surely holds the %s", (text, type) => {
  expect(typeMatch(text, type)).toBe(1);
});

it("knows which types nothing else can answer, and the words that ask for them", () => {
  expect(isStrict("phone")).toBe(true);
  expect(isStrict("person")).toBe(false);
  expect(isStrict(null)).toBe(false);
  expect(typeWords("How much does the move cost?")).toBe("how much does cost");
  expect(typeWords("How high is the reminder fee?")).toBe("fee how high");
  expect(typeWords("Is it blue?")).toBe("");
});
