import { expect, it } from "vitest";
import { isRunInHeading } from "./run-in-heading.ts";

it.each([
  ["en", "Governing law.", true],
  ["en", "5.1 Appointment of Subprocessors.", true],
  ["it", "Dati tecnici.", true],
  ["en", "The router is rented.", false],
  ["en", "Is it free?", false],
  ["it", "Il router è a noleggio.", false],
  ["en", "A lost router of the second generation costs 89 euro.", false],
] as const)("%s: %j is a heading that runs into its text: %s", (language, text, expected) => {
  expect(isRunInHeading(text, language)).toBe(expected);
});
