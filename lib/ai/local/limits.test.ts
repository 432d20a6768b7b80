import { expect, it } from "vitest";
import { isLimit } from "./limits.ts";

it.each([
  ["en", "However, opened software is not taken back."],
  ["en", "This does not apply to renewals."],
  ["it", "Fanno eccezione i domini."],
  ["de", "Ausgenommen sind Domains."],
  ["es", "Sin embargo, los dominios no se devuelven."],
  ["fr", "Toutefois, les domaines sont exclus."],
] as const)("%s: %j limits the sentence before it", (language, text) => {
  expect(isLimit(text, language)).toBe(true);
});

it("takes a sentence that goes on for none", () => {
  expect(isLimit("The money arrives after a week.", "en")).toBe(false);
});
