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

it.each([
  ["en", "The money arrives after a week."],
  ["it", "I soldi arrivano a casa dopo una settimana."],
  ["es", "El dinero que pagaste llega a tu cuenta sin coste."],
  ["fr", "L'argent arrive à la banque dans une semaine."],
  ["pt", "O dinheiro chega a casa no prazo de uma semana."],
] as const)("%s: %j only continues", (language, text) => {
  expect(isLimit(text, language)).toBe(false);
});
