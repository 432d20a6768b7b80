import { expect, test } from "vitest";
import type { KeyPolicy } from "../../db/stored-json.ts";
import { bindLabels, policyIssue } from "./bind-labels.ts";

const given = { sourceType: "document" as const, audience: null, contentCategory: null, path: null };
const known = { isVisible: true };

test("a new source takes the one value that the policy allows", () => {
  const policy = { audience: ["staff"], contentCategory: ["hr"], path: ["Acme", "HR"] };
  expect(bindLabels(policy, given, undefined)).toEqual({ ...given, ...policy, contentCategory: "hr" });
});

test("a key without a policy changes no label", () => {
  expect(bindLabels({}, given, undefined)).toEqual(given);
  expect(bindLabels({ limit: 3, answers: false }, given, known)).toEqual(given);
});

test("an existing source keeps labels that are not given", () => {
  expect(bindLabels({ audience: ["staff", "board"] }, given, known)).toEqual(given);
});

test.each<[KeyPolicy, object, string]>([
  [{ audience: ["staff"] }, { audience: ["staff", "public"] }, 'audience: "public"'],
  [{ audience: ["staff"] }, { audience: [] }, "audience: must not be empty"],
  [{ audience: ["staff", "board"] }, {}, "audience: is required"],
  [{ audience: [] }, {}, "audience: is required"],
  [{ contentCategory: ["hr"] }, { contentCategory: "legal" }, 'contentCategory: "legal"'],
  [{ contentCategory: ["hr", "it"] }, {}, "contentCategory: is required"],
  [{ path: ["Acme"] }, { path: ["Other"] }, 'path: "Other"'],
  [{ path: ["Acme", "HR"] }, { path: ["Acme"] }, 'path: "Acme"'],
  [{ path: [] }, {}, "path: is required"],
  [{ path: [] }, { path: [] }, "path: "],
  [{ sourceTypes: ["qa"] }, {}, 'sourceType: "document"'],
  [{ sourceTypes: [] }, {}, 'sourceType: "document"'],
])("with the policy %j, a new source with %j is refused", (policy, labels, message) => {
  expect(() => bindLabels(policy, { ...given, ...labels }, undefined)).toThrow(message);
});

test("a source that the key cannot see is refused whatever its new labels", () => {
  expect(policyIssue({ audience: ["board"] }, { ...given, audience: ["board"] }, { isVisible: false })).toEqual({
    path: "sourceId",
    message: expect.stringContaining("cannot see"),
  });
});
