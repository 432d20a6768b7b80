import { describe, expect, it } from "vitest";
import { fc } from "../../testing/property.ts";
import { sentencesOf } from "./sentences.ts";

describe("sentences", () => {
  it.each([
    ["en", "Dr. Smith paid approx. 3.5 million on Jan. 5. He left at 5 p.m. on Monday.", 2],
    ["en", "J. R. Tolkien wrote it. See e.g. Fig. 3 and p. 12.", 2],
    ["en", "Call us now! Are you sure? It is free.[3] So it goes.", 4],
    ["it", "Il sig. Rossi paga ca. 30 €. Si veda l'art. 5.", 2],
    ["es", "El Sr. Pérez paga aprox. 30 €. Véase el art. 5.", 2],
    ["de", "Am 3. Mai ist z. B. alles zu. Es gilt Abs. 2 Nr. 4 BGB. Das kostet ca. 5 Euro.", 3],
    ["de", "Bei 5 Mio. Euro gilt es lt. Preisliste ab ca. Anfang Mai. Es endet dann.", 2],
    ["en", "Our office is in San Jose, CA. We open at 9.", 2],
    ["it", "Il conto è mio. Posso chiuderlo?", 2],
    ["en", "It is free (see Sect. 4.2 of the terms). It ends then.", 2],
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
