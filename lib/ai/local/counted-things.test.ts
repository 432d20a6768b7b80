import { expect, it } from "vitest";
import { countedBy } from "./counted-things.ts";

it.each([
  ["How many meeting rooms are there?", "en", "The building has five meeting rooms."],
  ["How many rooms does the house have?", "en", "Rooms: 12; Floors: 3"],
  ["Quante stanze ci sono?", "it", "Ci sono tre stanze al primo piano."],
  ["¿Cuántos puntos cedió la defensa?", "es", "La defensa cedió 308 puntos."],
  ["Wie viele Zimmer gibt es?", "de", "Es gibt 14 Zimmer."],
  ["Combien de chambres y a-t-il ?", "fr", "Il y a deux chambres."],
  ["Hoeveel kamers zijn er?", "nl", "Er zijn zeven kamers."],
] as const)("%j (%s) is answered by %j", (question, language, text) => {
  expect(countedBy(question, language)?.(text)).toBe(true);
});

it("a number of something else is not an answer", () => {
  const isCounted = countedBy("How many seats does the theatre have?", "en");
  expect(isCounted?.("The theatre was open from 1870 to 1939.")).toBe(false);
  expect(isCounted?.("It has 3 stages, a foyer with a bar, and seats of red velvet.")).toBe(false);
});

it("nothing is expected when the question does not name a thing that stands beside its number", () => {
  expect(countedBy("How many people live there?", "en")).toBeNull();
  expect(countedBy("How many square kilometres does it cover?", "en")).toBeNull();
  expect(countedBy("How many are there?", "en")).toBeNull();
  expect(countedBy("How big is it?", "en")).toBeNull();
});
