import { describe, expect, it } from "vitest";
import type { Candidate } from "./evidence.ts";
import { renderUnits } from "./render.ts";
import { splitUnits } from "./units.ts";

const chunk = (content: string) => ({ title: "Prices", path: [], sourceType: "document", score: 1, content });
const measured = { terms: new Set<string>(), typed: 0, lexical: 0, relevance: 0, similarity: null };

/** The rows and items of the chunks, rendered. */
function rendered(...contents: string[]): string {
  const units = contents.map((content) => splitUnits(content, "en"));
  const chosen = units.flatMap((own, index) =>
    own.map((unit, position): Candidate => ({ unit, chunk: index, position, ...measured })),
  );
  return renderUnits(
    chosen.filter(({ unit }) => unit.kind !== "sentence"),
    contents.map(chunk),
  );
}

describe("a row or an item", () => {
  const [first, second] = ["Table 1: Prices of 2026", "Table 2: Prices of 2027"];
  const [basic, pro] = ["Plan: Basic; Price: 10 €; Term: none", "Plan: Pro; Price: 20 €; Term: none"];

  it("has the caption of its own table, in one chunk or in two", () => {
    const tables = [`${first}\n\n${basic}`, `${second}\n\n${pro}`];
    expect(rendered(tables.join("\n\n"))).toBe(`${first}: ${basic} [1]\n${second}: ${pro} [1]`);
    expect(rendered(...tables)).toBe(`${first}: ${basic} [1]\n${second}: ${pro} [2]`);
  });

  it("has no caption that the row before has", () => {
    expect(rendered(`${first}\n\n${basic}\n${pro}`)).toBe(`${first}: ${basic} [1]\n${pro} [1]`);
  });

  it("has the introduction of its own list", () => {
    expect(rendered("What is allowed:\n\n- Mail\n- Shops\n\nWhat is not allowed:\n\n- Mining of coins")).toBe(
      "What is allowed: Mail [1]\nShops [1]\nWhat is not allowed: Mining of coins [1]",
    );
  });
});
