import { expect, it } from "vitest";
import { factsOf, readableFacts } from "./facts.ts";

/** Whether a source states each day that a claim names. */
const statesDays = (source: string, claim: string) =>
  factsOf(claim).days.every((day) => readableFacts(source).days.has(day));

it.each([
  ["valid until 12/31/2025", "December 31, 2025"],
  ["valid until 31/12/2025", "31 December 2025"],
  ["valid until 31.12.2025", "31. Dezember 2025"],
  ["valid until 2025-12-31", "31 dicembre 2025"],
  ["valid until 03/04/25", "3 April 2025"],
  ["valid until 03/04/25", "March 4, 2025"],
])("%j states %j", (source, claim) => {
  expect(statesDays(source, claim)).toBe(true);
});

it.each([
  ["opens on 12/15/2025", "Wednesday"],
  ["opens on 13.19.2025", "Sunday"],
  ["opens on 2025-13-01", "Monday"],
  ["opens on 12/15/2025", "November"],
])("%j does not state %j", (source, claim) => {
  expect(statesDays(source, claim)).toBe(false);
});

it.each([
  ["9007199254740993", "9007199254740992"],
  ["1000000000000000000000001", "1000000000000000000000002"],
  ["٣٠", "٤٠"],
  ["3", "٣٫٥"],
  ["3500", "٣٫٥٠٠"],
  ["1.2", "١٬٢٠٠"],
  ["0.50", "0.05"],
  ["500", "1\u00a0500 €"],
  ["5 am", "17:00"],
  ["42", "5:30 pm"],
  ["24", "12 pm"],
  ["1500", "Chauffeur 500"],
  ["11", "once"],
])("%s is another number than %s", (number, other) => {
  const { numbers } = readableFacts(other);
  expect(new Set(factsOf(number).numbers.flat()).intersection(numbers)).toEqual(new Set());
});

it.each([
  ["30", "٣٠"],
  ["30", "३०"],
  ["19", "𝟷𝟿"],
  ["19", "𑛑𑛙"],
  ["29", "𑛜𑛣"],
  ["7", "007"],
  ["0", "000"],
  ["1.5", "1,50"],
  ["5", "5.00"],
  ["1,500.50", "1.500,5"],
  ["3.5", "٣٫٥"],
  ["3.5", "۳٫۵۰"],
  ["1,200", "١٬٢٠٠"],
  ["1,200", "1٬200"],
  ["1,234,567.8", "١٬٢٣٤٬٥٦٧٫٨"],
  ["1 500 €", "1500"],
  ["EUR 1 500", "1500"],
  ["1 234,50 €", "1 234,50 €"],
  ["1 234,50", "1 234,50 €"],
  ["15 128 GB", "15 (128 GB)"],
  ["800 123 456", "800-123-456"],
  ["1500", "1 500"],
  ["1\u202f500,50", "1.500,50"],
  ["500", "Room 1 500"],
  ["9 am", "9:00 am"],
  ["9:00", "9 Uhr"],
  ["9h00", "9:00"],
  ["5 p.m.", "17:00"],
  ["17:30", "5:30 pm"],
  ["18", "eighteen"],
  ["dix-sept", "17"],
])("%s is the same number as %s", (number, other) => {
  const { numbers } = readableFacts(other);
  expect(factsOf(number).numbers.every((readings) => readings.some((reading) => numbers.has(reading)))).toBe(true);
});
