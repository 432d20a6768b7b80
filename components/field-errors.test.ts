import { type FieldErrors, get, set } from "react-hook-form";
import { expect, test } from "vitest";
import { errorBesideFields, fieldMessage, issueAt } from "./field-errors.ts";

test("the error of a list is that of its first entry with one", () => {
  const errors: FieldErrors<{ name: string; facts: string[] }> = {};
  set(errors, "name", { type: "custom", message: "is required" });
  expect(fieldMessage(get(errors, "name"))).toBe("is required");
  expect(fieldMessage(get(errors, "facts"))).toBeUndefined();
  set(errors, "facts.1", { type: "too_big", message: "is too long" });
  set(errors, "facts.3", { type: "custom", message: "is empty" });
  expect(fieldMessage(get(errors, "facts"))).toBe("is too long");
});

test("an issue of an entry is shown at the field of its list", () => {
  const issues = [{ path: "content.alternatives.2", message: "is too long" }];
  expect(issueAt(issues, "content.alternatives")).toBe("is too long");
  expect(issueAt(issues, "content.alternative")).toBeUndefined();
});

test("an error is shown beside the fields unless they show all of its issues", () => {
  const [until, ids] = [
    { path: "until", message: "must not be in the past" },
    { path: "ids", message: "must be at most 200" },
  ];
  const shown = (issues: { path: string; message: string }[]) => errorBesideFields("Failed", issues, ["until"]);
  expect(shown([])).toBe("Failed");
  expect(shown([until])).toBeNull();
  expect(shown([ids])).toBe("Failed");
  expect(shown([until, ids])).toBe("Failed");
  expect(errorBesideFields(null, [], ["until"])).toBeNull();
});
