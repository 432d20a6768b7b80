import { expect, it } from "vitest";
import { namesIn } from "./names.ts";

it.each([
  ["en", "What is the unit cost of SKU-4563?", ["sku", "4563"]],
  ["en", "Does Mozilla VPN work on Linux?", ["mozilla", "vpn", "linux"]],
  ["en", "What does it cost?", []],
  ["de", "Wann kommt die Rechnung?", []],
] as const)("%s: %j names %j", (language, question, names) => {
  expect([...namesIn(question, language)].toSorted()).toEqual(names.toSorted());
});
