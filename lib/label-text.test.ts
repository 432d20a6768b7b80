import { expect, test } from "vitest";
import { joinPath, pathText, splitList, splitPath } from "./label-text.ts";

test("a list is split at commas", () => {
  expect(splitList(" ai_agent,copilot ,, Any / one")).toEqual(["ai_agent", "copilot", "Any / one"]);
  expect(splitList(" ")).toEqual([]);
});

test("a path is split at slashes, and joined it is the same path", () => {
  expect(splitPath("/Support/ Manuals, old / ")).toEqual(["Support", "Manuals, old"]);
  expect(joinPath(["Support", "Manuals"])).toBe("Support / Manuals");
  expect(splitPath(joinPath(["Support", "Manuals"]))).toEqual(["Support", "Manuals"]);
  expect(splitPath("")).toEqual([]);
});

test("a form keeps the slashes within the segments of a path", () => {
  expect(pathText(["Support", "Manuals"])).toBe("Support / Manuals");
  expect(pathText(["24/7 Support", "Wi-Fi"])).toBe("24\\/7 Support / Wi-Fi");
  for (const path of [["24/7 Support", "a/b/c"], ["/"], ["C:\\temp\\"], ["a\\", "b\\/c"], ["//", "\\"]]) {
    expect(splitPath(pathText(path))).toEqual(path);
  }
});
