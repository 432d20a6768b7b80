import { expect, it } from "vitest";
import { fitsForm } from "./form-content.ts";

/** The limit of the framework for the body of an action. */
const ACTION_BYTES_MAX = 1024 * 1024;

it.each([
  { name: "a text of 900,000 letters", content: "a".repeat(900_000), fits: true },
  { name: "a text that is too long for an action", content: "a".repeat(ACTION_BYTES_MAX), fits: false },
  { name: "letters of two bytes", content: "é".repeat(ACTION_BYTES_MAX / 2), fits: false },
  { name: "lines, which JSON escapes", content: "\n".repeat(ACTION_BYTES_MAX / 2), fits: false },
])("the form of a source sends $name: $fits", ({ content, fits }) => {
  expect(fitsForm({ kind: "text", title: "Long", content })).toBe(fits);
});
