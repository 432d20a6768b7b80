import { expect, it } from "vitest";
import { isNameWithNumber } from "./names-with-numbers.ts";

it.each([
  "5G",
  "ID.4",
  "fibra 1000",
  "Fibra 1000 Plus",
  "ValtBox 7",
  "iPhone 15 Pro",
  "1&1 Internet",
  "H2 Router",
  "3M",
  "Microsoft 365 Business",
  "Tarif 24",
  "Unit 42",
  "Unité 9",
  "Piece 500",
])("%j is a name", (name) => {
  expect(isNameWithNumber(name)).toBe(true);
});

it.each([
  "Fibra",
  "77",
  "77 EUR",
  "77 Euro Rabatt",
  "Rabatt 77 Euro",
  "EUR 77",
  "Rabatt €77",
  "CHF 77.50",
  "Discount 50 %",
  "Rabatt: 50 Prozent",
  "DISCOUNT 50 PERCENT",
  "14 Tage",
  "14 TAGE",
  "Frist 14 Werktage",
  "Rückgabe: 14 Kalendertage",
  "14-Tage-Frist",
  "Frist in Tagen: 14",
  "14 DAYS",
  "Trial of 14 working days",
  "Garanzia 24 MESI",
  "3 Mai",
  "3 Router",
  "77 points",
  "Bonus 77 Punkte",
  "Stück 500",
  "Rabatt: 500 units",
  "Paket 50 GB",
  "100MBit/s Leitung",
])("%j is not a name", (text) => {
  expect(isNameWithNumber(text)).toBe(false);
});
