import { expect, it } from "vitest";
import { olderVersions, outdatedChunks, versionClues } from "./versions.ts";

const chunk = (title: string, content = "Bicycles can be returned.") => ({
  ...{ title, content, path: [], sourceType: "document", score: 0.5 },
});

it("knows an older version by its title's year or by what it says of itself", () => {
  expect([...outdatedChunks([chunk("Prices 2024"), chunk("Prices 2026")])]).toEqual([0]);
  expect([...outdatedChunks([chunk("Returns", "Superseded. Return it within 14 days."), chunk("Returns")])]).toEqual([
    0,
  ]);
  expect([...outdatedChunks([chunk("Listino", "Prezzi non più validi."), chunk("Listino")])]).toEqual([0]);
  expect([...outdatedChunks([chunk("Report 2024"), chunk("Prices 2026")])]).toEqual([]);
});

it("does not call a version older when the question names its year", () => {
  const clues = [chunk("Prices 2024"), chunk("Prices 2025"), chunk("Prices 2026")].map(versionClues);
  expect([...olderVersions(clues, "What did a tandem cost in 2024?")]).toEqual([1]);
  expect([...olderVersions(clues, "What does a tandem cost?")]).toEqual([0, 1]);
});
