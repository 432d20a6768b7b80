import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf, splitUnits } from "./sentences.ts";

const texts = (content: string) => splitUnits(content, "en").map(({ text }) => text);

describe("sentences", () => {
  it.each([
    ["en", "Dr. Smith paid approx. 3.5 million on Jan. 5. He left at 5 p.m. on Monday.", 2],
    ["en", "J. R. Tolkien wrote it. See e.g. Fig. 3 and p. 12.", 2],
    ["en", "Call us now! Are you sure? It is free.[3] So it goes.", 4],
    ["it", "Il sig. Rossi paga ca. 30 €. Si veda l'art. 5.", 2],
    ["es", "El Sr. Pérez paga aprox. 30 €. Véase el art. 5.", 2],
    ["de", "Am 3. Mai ist z. B. alles zu. Es gilt Abs. 2 Nr. 4 BGB. Das kostet ca. 5 Euro.", 3],
    ["fr", "Mme. Dupont paie env. 30 €. Voir l'art. 5.", 2],
    ["pt", "O Sr. Silva paga aprox. 30 €. Ver art. 5.", 2],
    ["nl", "Dhr. Jansen betaalt ca. 30 euro. Zie art. 5.", 2],
  ] as const)("%s: %j has %i", (language, text, count) => {
    expect(sentencesOf(text, language)).toHaveLength(count);
  });

  it("keeps a bare yes or no with the sentence after it", () => {
    expect(sentencesOf("No. Cancellations are accepted in writing.", "en")).toHaveLength(1);
  });

  it("loses no word", () => {
    const word = fc.constantFrom("It", "ends", "Mr.", "on", "5.", "May", "No.", "why?", "“so.”", "z.B.", "e.g.", "x;");
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        const text = words.join(" ");
        expect(sentencesOf(text, "en").join(" ")).toBe(text);
      }),
    );
  });
});

describe("units", () => {
  it("joins wrapped lines, and takes headings as context", () => {
    const units = splitUnits(
      "## Refunds\n\nA refund takes fourteen days from the day on which\nwe decide. It is free.",
      "en",
    );
    expect(units).toMatchObject([
      { kind: "sentence", text: "A refund takes fourteen days from the day on which we decide.", heading: "Refunds" },
      { kind: "sentence", text: "It is free.", heading: "Refunds" },
    ]);
  });

  it("takes a short line, or one in capitals, above a text as its heading", () => {
    expect(
      splitUnits("Opening hours\n\nWe are open on Monday.\n\nTHE TIMETABLE\nDay 5 is the first.", "en"),
    ).toMatchObject([
      { text: "We are open on Monday.", heading: "Opening hours" },
      { text: "Day 5 is the first.", heading: "THE TIMETABLE" },
    ]);
  });

  it("keeps steps with their numbers and continuation lines, and knows their introduction", () => {
    const units = splitUnits("To reset it:\n1. Open the app.\n2. Press Reset.\n   Then wait.\n- [ ] Restart", "en");
    expect(units).toMatchObject([
      { kind: "sentence", text: "To reset it:" },
      { kind: "step", text: "1. Open the app.", lead: "To reset it:" },
      { kind: "step", text: "2. Press Reset. Then wait.", lead: "To reset it:" },
      { kind: "item", text: "[ ] Restart", lead: "To reset it:" },
    ]);
  });

  it("keeps rows of tables and labelled lines apart", () => {
    const rows =
      "Plan: Basic; Price: 10 €\nPlan: Pro; Price: 20 €; Terms: paid; yearly\n\n| A | B |\n|---|---|\n| 1 | 2 |";
    expect(splitUnits(rows, "en").map(({ kind }) => kind)).toEqual(["row", "row", "row", "row"]);
    expect(texts("Standard: 99.9 %\nPremium: 99.95 %")).toEqual(["Standard: 99.9 %", "Premium: 99.95 %"]);
  });

  it("cuts a text without full stops, and loses no word of it", () => {
    const long = Array.from({ length: 400 }, (_, index) => `word${index}${index % 40 === 0 ? ";" : ""}`).join(" ");
    const units = texts(long);
    expect(Math.max(...units.map(({ length }) => length))).toBeLessThanOrEqual(602);
    expect(units.join(" ")).toBe(long);
  });

  it("returns nothing for an empty text", () => {
    expect(texts(" \n\n ")).toEqual([]);
  });
});
