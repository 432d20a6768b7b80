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
  ["Leave", "Status: replaced by the 2026 edition."],
  ["Leave", "This policy has been replaced by HR-12."],
  ["Listino sostituito da quello nuovo", "Biciclette"],
  ["Returns", "These terms were replaced by those of the new shop."],
  ["Leave", "Esta política ya no está vigente."],
  ["Leave", "Ce document n’est plus valable."],
  ["Terms (superseded)", "What may I return? Anything."],
  ["Condizioni di noleggio (superate)", "Biciclette"],
  ["Returns", "No longer valid."],
  ["Returns", "Status: superseded by HR-12"],
  ["Returns", "This version is no longer valid after 31 December 2024."],
  ["Leave", "This is an outdated version. Ask for the new one."],
  ["Noleggio", "Queste condizioni non sono più valide: dal 2025 valgono le nuove."],
  ["Urlaub", "Diese Fassung ist überholt."],
  ["Noleggio", "Il documento è superato."],
  ...[
    ...["This article is outdated.", "This FAQ is outdated.", "This information is outdated."],
    ...["This content is obsolete.", "These rules are no longer in force.", "This regulation is no longer in force."],
    ...["Diese Regelung ist nicht mehr gültig.", "Dieser Artikel ist nicht mehr gültig."],
    ...["Diese AGB sind nicht mehr gültig.", "NOTE: this procedure is no longer valid."],
    ...["This handbook has been superseded.", "The Employee Handbook 2022 was superseded in January 2024."],
    ...["This document, issued in 2021, is no longer in force.", "The rules are no longer in force."],
    ...["The information on this page is outdated.", "The guide is outdated.", "Old prices are no longer valid."],
    ...["The 2022 terms are no longer valid.", "The terms of 2022 are no longer in force."],
    ...["Die Preise sind nicht mehr gültig.", "Die Angaben auf dieser Seite sind nicht mehr gültig."],
    ...["The 2023 prices were replaced by those of 2024.", "La guida 2022 è stata sostituita da quella del 2024."],
    "Este documento ya no está vigente: se aplica la versión 2025.",
    "Ce document n'est plus valable, se référer à la version 2025.",
    "Questo listino non è più valido: si veda il listino 2025.",
    "This document is no longer valid, ask for the new one if you need it.",
  ].map((content) => ["Leave", content]),
  ...[
    "OUTDATED Return policy",
    "OBSOLETE Terms of service",
    "Outdated prices 2023",
    "Superseded terms",
    "Outdated information",
  ].map((title) => [...[title, "Bicycles can be returned."]]),
])("%s: %s is what an outdated document says of itself", (title, content) => {
  expect(versionClues(chunk(title, content)).saysOutdated).toBe(true);
});

it.each([
  ["What do I do if my card is no longer valid?", "What do I do if my card is no longer valid?\n\nOrder a new one."],
  ["Is this policy outdated?", "Is this policy outdated?\n\nNo."],
  ["Warranty", "Defective devices are replaced by a new one."],
  ["Warranty", "Defective parts are replaced by us under the warranty conditions."],
  ["Warranty", "Under this policy defective parts are replaced by new ones."],
  ["Warranty", "In 2023 the pump was replaced by a new one."],
  ["Vouchers", "A voucher is no longer valid after 12 months."],
  ["Discounts", "If you cancel, the discount no longer applies."],
  ["Discounts", "Once you cancel, these prices no longer apply."],
  ["Mobile", "Superata la soglia di 10 GB, la velocità scende."],
  ["Esami", "L'esame è superato con 18/30."],
  ["Esame superato", "Il voto minimo è 18/30."],
  ["Gutscheine", "Nach 30 Tagen ist der Gutschein nicht mehr gültig."],
  ["Pumpe", "Die Pumpe wurde 2023 überholt."],
  ["Browsers", "Outdated browsers are not supported."],
  ["Outdated browsers", "They are not supported on this page."],
  ...[
    ...["Your identity document is no longer valid.", "Il suo documento d'identità non è più valido."],
    ...["Vouchers are no longer valid.", "The vouchers are no longer valid.", "This voucher is no longer valid."],
    ...["The manual filter was replaced by an automatic one.", "Dieser Gutschein ist nicht mehr gültig."],
    ...["After this date vouchers are no longer valid.", "For this reason the price is no longer valid."],
    ...[
      "This policy no longer applies if you move.",
      "This search finds content that is outdated.",
      "This number is no longer valid.",
      "Diese Fassung ist nicht mehr gültig, wenn Sie kündigen.",
    ],
    ...["Questo documento non è più valido se manca la firma.", "These rules say that parts are replaced by new ones."],
  ].map((content) => ["Leave", content]),
])("%s: %s says nothing of its document", (title, content) => {
  expect(versionClues(chunk(title, content)).saysOutdated).toBe(false);
});

it("does not call a version older when the question names its year", () => {
  const clues = [chunk("Prices 2024"), chunk("Prices 2025"), chunk("Prices 2026")].map(versionClues);
  expect([...olderVersions(clues, "What did a tandem cost in 2024?")]).toEqual([1]);
  expect([...olderVersions(clues, "What does a tandem cost?")]).toEqual([0, 1]);
});
