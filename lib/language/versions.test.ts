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

it.each([
  ["Terms (superseded)", ""],
  ["price-list-outdated", ""],
  ["Outdated price list", ""],
  ["Listino 2022 non più valido", ""],
  ["Leave", "Status: replaced by the 2026 edition."],
  ["Leave", "Replaced by the leave policy of 2026."],
  ["Prices", "Prices of 2024 (no longer valid): City bike; Per day: 14 euros"],
  ["Leave", "**Obsolete:** see the intranet."],
  ["Leave", "This policy was in force until 2024. This policy has been superseded by another."],
  ["Leave", "Please note: this version of the policy is no longer in force."],
  ["Leave", "These terms no longer apply."],
  ["Leave", "This is an outdated version."],
  ["Leave", "Questo regolamento non è più valido."],
  ["Leave", "Esta política ya no está vigente."],
  ["Leave", "Diese Preisliste ist seit dem 1. Januar 2025 nicht mehr gültig."],
  ["Leave", "Ce document n’est plus valable."],
])("%s: %s is what an outdated document says of itself", (title, content) => {
  expect(versionClues(chunk(title, content)).saysOutdated).toBe(true);
});

it.each([
  ["What do I do if my card is no longer valid?", "What do I do if my card is no longer valid?\n\nOrder a new one."],
  ["Is this policy outdated?", "Is this policy outdated?\n\nNo."],
  ["My card is no longer valid", "Order a new card."],
  ["Karte nicht mehr gültig", "Meine Karte ist nicht mehr gültig. Was nun?"],
  ["Exchange of outdated browsers", "Obsolete devices are collected."],
  ["Warranty", "Defective devices are replaced by a new one."],
  ["Warranty", "We exchange devices that are\n- broken\n- obsolete"],
  ["Warranty", "We exchange devices:\n1. broken\n2. obsolete"],
  ["Warranty", "This policy explains what happens when a card is no longer valid."],
  ["Warranty", "This policy is no longer valid if you move abroad."],
  ["Warranty", "Replaced by a new device within 14 days."],
  ["Tessera", "La tessera non è più valida dopo due anni; un abbonamento non più valido non è rimborsato."],
  ["Carte", "Votre carte n'est plus valable après deux ans."],
  ["Ausweis", "Ist der Ausweis nicht mehr gültig, wird er durch einen neuen ersetzt."],
])("%s: %s says nothing of its document", (title, content) => {
  expect(versionClues(chunk(title, content)).saysOutdated).toBe(false);
});

it("does not call a version older when the question names its year", () => {
  const clues = [chunk("Prices 2024"), chunk("Prices 2025"), chunk("Prices 2026")].map(versionClues);
  expect([...olderVersions(clues, "What did a tandem cost in 2024?")]).toEqual([1]);
  expect([...olderVersions(clues, "What does a tandem cost?")]).toEqual([0, 1]);
});
