import { expect, it } from "vitest";
import { holds, termsOf } from "./terms.ts";

it("reduces words to what is asked, without accents, hyphens of short parts and function words", () => {
  expect([...termsOf("What's the Wi-Fi password of my routers?", "en")]).toEqual(["wifi", "password", "router"]);
  expect(termsOf("¿Cuál es la velocidad máxima?", "es")).toEqual(termsOf("velocidad maxima", "es"));
});

it("keeps function words when there is nothing else", () => {
  expect(termsOf("Who are you?", "en").size).toBe(3);
});

it("finds a word inside a longer one, but not a short one", () => {
  expect(holds(new Set(["telephone"]), "phone")).toBe(0.5);
  expect(holds(new Set(["laufzeit"]), "vertragslaufzeit")).toBe(0.5);
  expect(holds(new Set(["phone"]), "phone")).toBe(1);
  expect(holds(new Set(["transport"]), "port")).toBe(0);
});
