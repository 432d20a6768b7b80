import { describe, expect, it } from "vitest";
import { weakestCloseness } from "./word-closeness.ts";

const closeness = (question: string, text: string, said = "") => weakestCloseness(question, said, text, "en");

describe("the closeness of the word that a text says least", () => {
  it("is 1 when the text has all content words, in any form", () => {
    expect(closeness("When does the lease begin?", "The lease begins on 1 March.")).toBe(1);
  });

  it("is higher for other words of the same meaning than for what the text does not name", () => {
    const text = "The lease begins on 1 March. The rent is paid four times a year.";
    expect(closeness("When did the lease start?", text)).toBeGreaterThan(0.4);
    expect(closeness("What is the annual rent?", text)).toBeGreaterThan(0.4);
    expect(closeness("Does the lease allow dogs?", text)).toBeLessThan(0.35);
  });

  it("leaves out words that are said otherwise", () => {
    expect(closeness("How long is the lease?", "The lease runs for eight years.", "how long")).toBe(1);
  });

  it("takes a word that it does not know for an average one", () => {
    expect(closeness("Does the lease mention Grimbledorf?", "The lease mentions Perth.")).toBe(0.4);
    expect(weakestCloseness("Quanto dura la garanzia?", "", "Il contratto dura due anni.", "it")).toBe(0.4);
  });

  it("compares words of another language by their stems alone, even those that look English", () => {
    expect(weakestCloseness("La base è inclusa?", "", "La casa è inclusa.", "it")).toBe(0.4);
    expect(weakestCloseness("Quali fatture si pagano?", "", "La fattura si paga subito.", "it")).toBe(1);
  });

  it("reads only the beginning of a text without end", () => {
    expect(closeness("Does the lease allow dogs?", `${"lease ".repeat(100_000)}dogs`)).toBeLessThan(0.5);
  });
});
