import { expect, it } from "vitest";
import { outdatedChunks } from "./versions.ts";

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
