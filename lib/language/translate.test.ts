import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectRoot } from "../project-root.ts";
import { LANGUAGES } from "./function-words.ts";
import { glossOf, translationsOf } from "./translate.ts";

describe("translationsOf", () => {
  test.each([
    ["rimborso", "it", "en", "refund"],
    ["contratti", "it", "en", "contract"],
    ["refunds", "en", "de", "rückerstattung"],
    ["verloren", "de", "en", "lose"],
    ["contrasena", "es", "en", "password"],
    ["dagen", "nl", "it", "giorno"],
    ["vélos", "fr", "en", "bicycle"],
    ["alti", "it", "de", "hoch"],
    ["öffnet", "de", "en", "open"],
    ["kündigt", "de", "en", "terminate"],
  ] as const)("%s from %s to %s includes %s", (word, from, to, expected) => {
    expect(translationsOf(word, from, to)).toContain(expected);
  });

  test("translates the parts of a compound that is not in the table", () => {
    expect(translationsOf("museumsrechnung", "de", "en")).toEqual(["museum", "invoice"]);
  });

  test("has nothing for unknown words and for the language itself", () => {
    expect(translationsOf("valtessa", "it", "en")).toEqual([]);
    expect(translationsOf("refund", "en", "en")).toEqual([]);
    expect(translationsOf("a".repeat(8_000), "de", "en")).toEqual([]);
  });
});

test("glossOf keeps names and numbers, and leaves out function words", () => {
  expect(glossOf("Dopo quanti giorni 37signals cancella i contenuti dai backup?", "it", "en")).toMatch(
    /^day 37signals (delete|cancel|cancellation) content backup$/,
  );
});

test("every row of the table has words in all languages", () => {
  const table = readFileSync(path.join(projectRoot(), "models", "dictionary", "words.tsv"), "utf8");
  const rows = table.trimEnd().split("\n");
  const wrong = rows.filter((row) => {
    const cells = row.split("\t");
    return (
      cells.length !== LANGUAGES.length ||
      cells.some((cell) => !/^[\p{Ll}\p{M}\d][^;|()/]*(?:; [^;|()/]+)?$/u.test(cell))
    );
  });
  expect(wrong).toEqual([]);
  expect(rows).toEqual([...new Set(rows)].toSorted());
});
