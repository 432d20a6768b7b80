import { describe, expect, it } from "vitest";
import { splitUnits } from "./units.ts";

const texts = (content: string) => splitUnits(content, "en").map(({ text }) => text);

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

  it("knows the caption of a table", () => {
    const [, row] = splitUnits("Table 2: Fees of 2026\n\nPlan: Basic; Price: 10 €; Term: none", "en");
    expect(row).toMatchObject({ kind: "row", lead: "Table 2: Fees of 2026" });
  });

  it("cuts a text without full stops, and loses no word of it", () => {
    const long = Array.from({ length: 400 }, (_, index) => `word${index}${index % 40 === 0 ? ";" : ""}`).join(" ");
    const units = texts(long);
    expect(Math.max(...units.map(({ length }) => length))).toBeLessThanOrEqual(602);
    expect(units.join(" ")).toBe(long);
  });

  it("joins a heading that runs into its text, and knows it as the heading of the rest", () => {
    expect(
      splitUnits("5.1 Governing law. This agreement is governed by the law of Ireland. Its courts decide.", "en"),
    ).toMatchObject([
      { text: "Governing law. This agreement is governed by the law of Ireland.", heading: "Governing law." },
      { text: "Its courts decide.", heading: "Governing law." },
    ]);
  });

  it("keeps a list together over blank lines", () => {
    const [lead, ...steps] = splitUnits("To reset it:\n\n1. Open the app.\n\n2. Press Reset.", "en");
    expect(lead?.text).toBe("To reset it:");
    expect(new Set(steps.map(({ block }) => block)).size).toBe(1);
  });

  it("takes a long numbered clause apart, without its number", () => {
    const clause = `1. ${"The customer pays the fee in advance and in full. ".repeat(8)}`;
    expect(splitUnits(clause, "en")[0]).toMatchObject({
      kind: "sentence",
      text: "The customer pays the fee in advance and in full.",
    });
  });

  it("joins a label and its value", () => {
    expect(texts("Total variance cost:\n$4,287.50")).toEqual(["Total variance cost: $4,287.50"]);
  });

  it("begins and ends with no stray mark, but keeps numbers that count something", () => {
    expect(texts("(a) Firefox Notes keeps notes.*")).toEqual(["Firefox Notes keeps notes."]);
    for (const text of [
      "2.5 GB are included.",
      "24.12. ab 14 Uhr ist das Büro geschlossen.",
      "1.5. bis 30.9. ist die Hütte offen.",
      "99.90 Franken kostet der Anschluss.",
      "1.5 Stunden vor Abflug schließt der Schalter.",
    ]) {
      expect(texts(text)).toEqual([text]);
    }
    expect(texts("The court of the U.S. District is competent.")).toHaveLength(1);
  });

  it("returns nothing for an empty text", () => {
    expect(texts(" \n\n ")).toEqual([]);
  });
});
