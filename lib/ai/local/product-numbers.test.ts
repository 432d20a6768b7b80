import { expect, it } from "vitest";
import type { Language } from "../../language/function-words.ts";
import { namesUnknownNumber } from "./product-numbers.ts";

const prices = [{ title: "Prices", content: "Fibra 1000 costs €27.90." }];

it("knows a product whose number no chunk has", () => {
  const named = (question: string) => namesUnknownNumber(question, "en", prices);
  expect(named("What does Fibra 5000 cost?")).toBe(true);
  expect(named("What does FIBRA 5000 cost?")).toBe(true);
  expect(named("What does Fibra 1000 cost?")).toBe(false);
  expect(named("What did it cost in May 2023?")).toBe(false);
  expect(named("What did it cost on June 15?")).toBe(false);
  expect(named("What does Fibra cost by Regulation 1065?")).toBe(false);
});

it.each<[string, Language, string]>([
  ["What does Giga 5000 cost?", "en", "Giga 1000 costs €27.90."],
  ["Quanto costa Mega 500?", "it", "Mega 100 costa 20 €."],
  ["What does CAD 3000 cost?", "en", "CAD 1000 costs €27.90."],
  ["Where is Unit 731?", "en", "Unit 500 is on floor 2."],
])("%s in %s names another product than: %s", (question, language, content) => {
  expect(namesUnknownNumber(question, language, [{ title: "Prices", content }])).toBe(true);
});

it.each<[string, Language, string]>([
  ["Is 1000 Mbit/s available?", "en", "Fibra 1000 is available with 1000 Mbit/s."],
  ["Is 1000 Mbit/s available?", "en", "The term is 24 months."],
  ["Can 100 users share a plan?", "en", "You can share a plan. Up to 100 users can."],
  ["Does 112 work?", "en", "Calls to 112 work even if the line does not."],
  ["Over 500 guests?", "en", "Parties of over 300 guests pay a deposit."],
  ["Sind 1000 Mbit/s verfügbar?", "de", "Im Tarif sind 100 Mbit/s enthalten."],
  ["What does Fibra 5000 cost?", "en", "Fibra costs €27.90."],
  ["What does Bra 5000 cost?", "en", "Fibra 1000 costs €27.90."],
  [
    "Is shipping free for an order of EUR 250?",
    "en",
    "Shipping is free for orders above EUR 100. Else it costs EUR 5.",
  ],
  ["Ist der Versand ab CHF 250 frei?", "de", "Ab CHF 100 ist der Versand frei."],
  ["Is shipping free from USD 250?", "en", "Shipping is free from USD 100."],
  ["Jest dostawa od PLN 250?", "en", "Dostawa od PLN 100."],
  ["Gibt es Rabatt ab Stück 500?", "de", "Ab Stück 100 gibt es Rabatt."],
])("%s in %s names no other product of: %s", (question, language, content) => {
  expect(namesUnknownNumber(question, language, [{ title: "Prices", content }])).toBe(false);
});
